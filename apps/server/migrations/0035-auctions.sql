-- Periodic auctions, the spread that books in HYBRID mode are watched by, and prices that come from a feed.

-- One row per auction of a book. Its times are those of the database's clock; what it came to is written in the commit that clears it.
create table book_auctions (
  unit_id uuid not null,
  auction_id uuid primary key,
  book_id uuid not null,
  status text not null check (status in ('COLLECTING', 'CLEARED', 'CANCELLED')),
  started_at timestamptz not null,
  ends_at timestamptz not null,
  clearing_price bigint check (clearing_price > 0),
  matched_volume bigint not null default 0 check (matched_volume >= 0),
  order_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index book_auctions_due on book_auctions (ends_at) where status = 'COLLECTING';
select tally_venue_table('book_auctions', 'book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active)');

alter table order_books
  add column current_auction_ends_at timestamptz,
  add check ((current_auction_id is null) = (current_auction_ends_at is null)),
  add check (auction_interval_seconds between 30 and 3600),
  add check (hybrid_switch_spread_bps between 1 and 10000),
  add check (trading_mode = 'CONTINUOUS' or auction_interval_seconds is not null),
  add check (trading_mode <> 'HYBRID' or hybrid_switch_spread_bps is not null);
create index order_books_auctioned on order_books (trading_mode) where trading_mode <> 'CONTINUOUS';

-- How many samples in a row found the spread of a book wide, or narrow. One of the two is 0.
create table book_spreads (
  unit_id uuid not null,
  book_id uuid primary key,
  sampled_at timestamptz not null,
  wide integer not null,
  narrow integer not null
);
select tally_venue_table('book_spreads');

-- When a feed is asked next, who asks it now, and why it did not answer. A claim that was given up is taken over when its time is up.
alter table order_books
  add column price_ref_due_at timestamptz,
  add column price_ref_claim uuid,
  add column price_ref_claimed_until timestamptz,
  add column price_ref_failures integer not null default 0,
  add column price_ref_error text;
create index order_books_fed on order_books (price_ref_due_at) where price_ref_enabled and price_ref_mode <> 'MANUAL';
