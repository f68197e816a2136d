-- Loans that are open and pledges that stand, as the events of markets and adapters tell them. Figures of a market, lists and watchers ask for
-- these again and again: they must not look through every loan that ever was. Each is derived anew whenever an event of its loan is
-- written, taken away or undone, whoever does it.
create table open_loans (
  chain_id bigint not null,
  market_address text not null,
  loan_id bigint not null,
  -- Unix seconds; 0: it never matures. Maturities only go later.
  due_at bigint,
  opened_block numeric(78, 0) not null,
  primary key (chain_id, market_address, loan_id)
);
select tally_chain_table('open_loans', 'market_address');

create table standing_pledges (
  chain_id bigint not null,
  adapter text not null,
  loan_id bigint not null,
  holder text not null,
  primary key (chain_id, adapter, loan_id)
);
select tally_chain_table('standing_pledges', 'adapter');

create function tally_derive_loan(the_chain bigint, the_contract text, the_loan bigint, the_operation text) returns void language plpgsql as $$
begin
  if the_operation like 'market.%' then
    with told as (
      select max(case f.operation when 'market.LoanOpened' then (f.effect ->> 'dueAt')::bigint
                                  when 'market.ExtensionApplied' then (f.effect ->> 'newDueAt')::bigint end) as due_at,
        min(f.block_number) filter (where f.operation = 'market.LoanOpened') as opened_block,
        coalesce(bool_or(f.operation = 'market.LoanClosed'), false) as is_closed
      from chain_live_facts f where f.chain_id = the_chain and f.subject = the_contract and f.loan_id = the_loan),
    gone as (
      delete from open_loans o using told t where o.chain_id = the_chain and o.market_address = the_contract and o.loan_id = the_loan
        and (t.is_closed or t.opened_block is null))
    insert into open_loans (chain_id, market_address, loan_id, due_at, opened_block)
    select the_chain, the_contract, the_loan, t.due_at, t.opened_block from told t where not t.is_closed and t.opened_block is not null
    on conflict (chain_id, market_address, loan_id) do update set due_at = excluded.due_at, opened_block = excluded.opened_block;
  else
    with told as (
      select (array_agg(coalesce(f.effect ->> 'newWallet', f.effect ->> 'holder') order by f.block_number desc, f.block_log_index desc)
          filter (where f.operation ~ '[.](Locked|PledgeRebound)$'))[1] as holder,
        coalesce(bool_or(f.operation ~ '[.]Locked$'), false) and sum(case
          when f.operation ~ '[.](Locked|Increased)$' then (f.effect ->> 'amount')::numeric
          when f.operation ~ '[.](Decreased|Released|Enforced)$' then -(f.effect ->> 'amount')::numeric else 0 end) > 0 as stands
      from chain_live_facts f where f.chain_id = the_chain and f.subject = the_contract and f.loan_id = the_loan
        and f.operation ~ '^(freeze|custody)Adapter[.](Locked|Increased|Decreased|Released|Enforced|PledgeRebound)$'),
    gone as (
      delete from standing_pledges p using told t where p.chain_id = the_chain and p.adapter = the_contract and p.loan_id = the_loan
        and t.stands is not true)
    insert into standing_pledges (chain_id, adapter, loan_id, holder)
    select the_chain, the_contract, the_loan, t.holder from told t where t.stands
    on conflict (chain_id, adapter, loan_id) do update set holder = excluded.holder;
  end if;
end
$$;

create function tally_is_of_loan(operation text) returns boolean language sql immutable as $$
  select operation in ('market.LoanOpened', 'market.ExtensionApplied', 'market.LoanClosed')
    or operation ~ '^(freeze|custody)Adapter[.](Locked|Increased|Decreased|Released|Enforced|PledgeRebound)$'
$$;

create function tally_fact_changed() returns trigger language plpgsql as $$
declare
  fact chain_facts := case when tg_op = 'DELETE' then old else new end;
begin
  -- A backup brings along what was derived.
  if current_setting('tally.restoring', true) is distinct from 'on' then
    perform tally_derive_loan(fact.chain_id, fact.subject, fact.loan_id, fact.operation);
  end if;
  return null;
end
$$;

create function tally_log_changed() returns trigger language plpgsql as $$
begin
  perform tally_derive_loan(f.chain_id, f.subject, f.loan_id, f.operation) from chain_facts f
  where f.chain_id = new.chain_id and f.tx_hash = new.tx_hash and f.log_index = new.log_index and f.loan_id is not null
    and tally_is_of_loan(f.operation);
  return null;
end
$$;

-- An event that is deleted would take its facts along in the name of the owner, to whom every table is empty: whoever deletes it does.
create function tally_log_deleted() returns trigger language plpgsql as $$
begin
  delete from chain_facts f where f.chain_id = old.chain_id and f.tx_hash = old.tx_hash and f.log_index = old.log_index;
  return old;
end
$$;

create trigger derives_loan after insert on chain_facts for each row
  when (new.loan_id is not null and tally_is_of_loan(new.operation)) execute function tally_fact_changed();
create trigger underives_loan after delete on chain_facts for each row
  when (old.loan_id is not null and tally_is_of_loan(old.operation)) execute function tally_fact_changed();
create trigger takes_facts_along before delete on chain_logs for each row execute function tally_log_deleted();
-- What is final, and stays where it was, changes no loan.
create trigger rederives_loans after update on chain_logs for each row
  when ((old.finality = 'ORPHANED') <> (new.finality = 'ORPHANED') or (old.block_number, old.block_log_index) <> (new.block_number, new.block_log_index))
  execute function tally_log_changed();

-- To its owner every table is empty.
set local role tally_chain;
insert into open_loans (chain_id, market_address, loan_id, due_at, opened_block)
select chain_id, subject, loan_id,
  max(case operation when 'market.LoanOpened' then (effect ->> 'dueAt')::bigint
                     when 'market.ExtensionApplied' then (effect ->> 'newDueAt')::bigint end),
  min(block_number) filter (where operation = 'market.LoanOpened')
from chain_live_facts where operation in ('market.LoanOpened', 'market.ExtensionApplied', 'market.LoanClosed') and loan_id is not null
group by 1, 2, 3 having not bool_or(operation = 'market.LoanClosed') and bool_or(operation = 'market.LoanOpened');
insert into standing_pledges (chain_id, adapter, loan_id, holder)
select chain_id, subject, loan_id,
  (array_agg(coalesce(effect ->> 'newWallet', effect ->> 'holder') order by block_number desc, block_log_index desc)
    filter (where operation ~ '[.](Locked|PledgeRebound)$'))[1]
from chain_live_facts
where operation ~ '^(freeze|custody)Adapter[.](Locked|Increased|Decreased|Released|Enforced|PledgeRebound)$' and loan_id is not null
group by 1, 2, 3
having bool_or(operation ~ '[.]Locked$') and sum(case
  when operation ~ '[.](Locked|Increased)$' then (effect ->> 'amount')::numeric
  when operation ~ '[.](Decreased|Released|Enforced)$' then -(effect ->> 'amount')::numeric else 0 end) > 0;
reset role;
