-- How a page of loans finds its events among all others. Row-level security keeps conditions on `effect` out of every index, so what
-- is looked for stands in columns of its own; digits that no contract of ours counts to are left out instead of failing the insert.
alter table chain_facts
  add column loan_id bigint generated always as (
    case when effect ->> 'loanId' ~ '^[0-9]{1,15}$' then (effect ->> 'loanId')::bigint end) stored,
  add column realization_id bigint generated always as (
    case when effect ->> 'realizationId' ~ '^[0-9]{1,15}$' then (effect ->> 'realizationId')::bigint end) stored,
  -- The wallet that a loan was opened for or moved to, or that its money goes to.
  add column loan_wallet text generated always as (
    case operation when 'market.LoanOpened' then effect ->> 'borrower' when 'market.LoanRebound' then effect ->> 'newWallet'
                   when 'market.LoanPayeeSet' then effect ->> 'payee' end) stored,
  -- A price is never older than the one before it.
  add column price_time bigint generated always as (
    case when operation = 'oracle.PriceUpdated' and effect ->> 'timestamp' ~ '^[0-9]{1,15}$'
         then (effect ->> 'timestamp')::bigint end) stored;

-- All that happened on one loan, and the loans of a market in the order they were opened, closed or seized.
create index chain_facts_by_loan on chain_facts (chain_id, subject, loan_id) where loan_id is not null;
create index chain_facts_by_turn on chain_facts (chain_id, subject, operation, loan_id)
  where operation in ('market.LoanOpened', 'market.LoanClosed', 'market.LoanLiquidated');
create index chain_facts_by_realization on chain_facts (chain_id, subject, realization_id) where realization_id is not null;
create index chain_facts_by_wallet on chain_facts (chain_id, subject, loan_wallet, loan_id) where loan_wallet is not null;
create index chain_facts_by_price on chain_facts (chain_id, subject, price_time) where price_time is not null;

create or replace view chain_live_facts with (security_invoker = true) as
  select f.fact_id, f.chain_id, f.tx_hash, f.log_index, f.subject, f.operation, f.effect,
    l.block_number, l.block_hash, l.block_time, l.block_log_index, l.finality,
    f.loan_id, f.realization_id, f.loan_wallet, f.price_time, l.tx_from
  from chain_facts f join chain_logs l using (chain_id, tx_hash, log_index) where l.finality <> 'ORPHANED';

-- Which lines of a history the instance recorded itself.
create index recordings_by_transaction on recordings (instance_id, chain_id, tx_hash);
