//! Corrections of balances by operators: a compensating transfer, never a change of stored entries.

use std::collections::BTreeMap;

use session::{Account, Ms};

use crate::audit::{self, NewAudit};
use crate::{Deny, LedgerAccount, Legs, Posted, Transfer, TransferKind, Tx};

/// A correction of a balance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// The idempotency key, chosen by the operator.
    pub key: String,
    /// The account whose balance is corrected.
    pub account: Account,
    /// The amount: newly issued tokens, or burned ones if it is negative.
    pub amount: i64,
    /// The reason, for people.
    pub reason: String,
    /// The operator who decided.
    pub operator: String,
    /// The time of the correction.
    pub at: Ms,
}

impl Tx<'_> {
    /// Corrects a balance, and records that in the audit log.
    pub fn correct(&mut self, correction: &Correction) -> Result<Posted, Deny> {
        self.existing(correction.account)?;
        let player = LedgerAccount::Player(correction.account);
        let tokens = correction.amount.unsigned_abs();
        let legs = if correction.amount > 0 {
            Legs::pay(LedgerAccount::Issue, player, tokens)?
        } else {
            Legs::pay(player, LedgerAccount::Burn, tokens)?
        };
        let posted = self.transfer(&Transfer {
            key: format!("correct:{}", correction.key),
            kind: TransferKind::Correction,
            game_id: None,
            legs,
            at: correction.at,
            memo: correction.reason.clone(),
            operator: Some(correction.operator.clone()),
        })?;
        if posted == Posted::New {
            let payload = audit::payload(&BTreeMap::from([
                ("amount", correction.amount.to_string()),
                ("key", correction.key.clone()),
                ("operator", correction.operator.clone()),
                ("reason", correction.reason.clone()),
            ]))?;
            self.audit(NewAudit {
                at: correction.at,
                account: Some(correction.account),
                kind: "balance_corrected",
                payload: &payload,
            })?;
        }
        Ok(posted)
    }
}
