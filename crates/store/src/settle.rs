//! The settlement of a match's stakes.

use session::{Account, Ms, Settlement, SettlementKind};

use crate::{Denied, Deny, LedgerAccount, Legs, Posted, StoreError, Transfer, TransferKind, Tx};

impl Tx<'_> {
    /// Distributes the pot of a match, once for each match, and frees its players. `accounts` is
    /// the account in each seat. A settlement that differs from the first one is an error.
    pub fn settle(
        &mut self,
        settlement: &Settlement,
        accounts: &[Option<Account>],
        at: Ms,
    ) -> Result<Posted, StoreError> {
        let game_id = settlement.key.game_id;
        let transfer = Transfer {
            key: format!("settle:{game_id}"),
            kind: match settlement.key.kind {
                SettlementKind::Payout => TransferKind::Payout,
                SettlementKind::Burn => TransferKind::Burn,
                SettlementKind::Refund => TransferKind::Refund,
            },
            game_id: Some(game_id),
            legs: legs(settlement, accounts)?,
            at,
            memo: "the end of a match".to_owned(),
            operator: None,
        };
        self.release(game_id)?;
        let posted = self.transfer(&transfer).map_err(|deny| match deny {
            Deny::Failed(error) => error,
            Deny::Denied(Denied::KeyUsed { key, stored, asked }) => {
                StoreError::Conflict { key, stored, asked }
            }
            Deny::Denied(denied) => StoreError::rejected(denied.to_string()),
        })?;
        let left = self.balance(LedgerAccount::Escrow(game_id))?;
        if left == 0 {
            return Ok(posted);
        }
        Err(StoreError::rejected(format!(
            "the settlement of match {game_id} leaves {left} tokens in its pot, which must be empty"
        )))
    }
}

/// A bot has no account and stakes nothing, so it cannot get anything.
fn legs(settlement: &Settlement, accounts: &[Option<Account>]) -> Result<Legs, StoreError> {
    let pot = LedgerAccount::Escrow(settlement.key.game_id);
    let mut legs = Vec::new();
    let mut give = |to: LedgerAccount, tokens: u64| {
        let amount = i64::try_from(tokens)
            .map_err(|_| StoreError::rejected(format!("{tokens} tokens are too many")))?;
        legs.extend([(pot, -amount), (to, amount)]);
        Ok::<(), StoreError>(())
    };
    for share in settlement.shares.iter().filter(|it| it.tokens > 0) {
        let account = accounts.get(share.seat.index()).copied().flatten();
        let account = account.ok_or_else(|| {
            StoreError::rejected(format!(
                "seat {} would get {} tokens, but has no account",
                share.seat.index(),
                share.tokens
            ))
        })?;
        give(LedgerAccount::Player(account), share.tokens)?;
    }
    give(LedgerAccount::Burn, settlement.burned)?;
    Ok(Legs::new(&legs)?)
}
