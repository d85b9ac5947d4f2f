//! What an operator may do to a balance: a compensating transfer, never a change of what is
//! written.

use std::collections::BTreeMap;

use session::{Account, Ms};

use crate::audit::{self, NewAudit};
use crate::{Deny, LedgerAccount, Legs, Posted, Transfer, TransferKind, Tx};

/// A correction of a balance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// What makes doing it twice the same as once; the operator's choice.
    pub key: String,
    /// Whose balance.
    pub account: Account,
    /// What it gets, newly issued, or below zero what is burned of it.
    pub amount: i64,
    /// Why.
    pub reason: String,
    /// Who decided it.
    pub operator: String,
    /// When.
    pub at: Ms,
}

impl Tx<'_> {
    /// Corrects a balance, and says so in the audit.
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
