-- What happened on a contract since a moment: a history of thirty days does not look through the years before.
create index chain_logs_by_time on chain_logs (chain_id, address, block_time);
-- Loans whose money a wallet receives: not to be looked for among all that it borrowed.
create index chain_facts_by_payee on chain_facts (chain_id, subject, loan_wallet, loan_id) where operation = 'market.LoanPayeeSet';
-- The newest events of a kind: an adapter has two for each loan that no ledger shows, and they are not to be read past.
create index chain_logs_by_event on chain_logs (chain_id, address, (topics[1]), block_number, block_log_index);
