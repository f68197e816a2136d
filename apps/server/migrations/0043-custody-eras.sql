-- How a custody contract wanted the salts of a pair to begin, from when a worker saw it until it was another. The contract itself forgets a
-- split that was undone before it looked: what was signed before would count again.
create table custody_eras (
  chain_id bigint not null,
  custody_contract text not null,
  token_address text not null,
  quote_token_address text not null,
  era integer not null check (era > 0),
  salt_prefix text not null,
  block_number bigint not null,
  seen_at timestamptz not null,
  primary key (chain_id, custody_contract, token_address, quote_token_address, era)
);
select tally_chain_table('custody_eras');
