-- What was traded on one book in one minute: the candles, from which longer ones are added up when they are read. A trade counts in its
-- maker's book, a failed one nowhere. A book that changed units has a row for each.
create table book_minutes (
  unit_id uuid not null,
  book_id uuid not null,
  minute timestamptz not null,
  trade_count integer not null,
  volume_base numeric(78, 0) not null,
  volume_quote numeric(78, 0) not null,
  -- Null: every trade of the minute failed.
  price_high bigint,
  price_low bigint,
  price_open bigint,
  price_close bigint,
  -- The first and the last trade. Books that pool trade in one commit, and so at one time: the number says what came first.
  opened_at timestamptz,
  opened_number bigint,
  closed_at timestamptz,
  closed_number bigint,
  primary key (book_id, minute, unit_id)
);
select tally_venue_table('book_minutes', 'book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active)');
create policy lane on book_minutes to tally_lane
  using (unit_id in (select b.unit_id from order_books b where b.instance_id = tally_lane() and b.settlement_mode = 'OFF_CHAIN'))
  with check (unit_id in (select b.unit_id from order_books b where b.instance_id = tally_lane() and b.settlement_mode = 'OFF_CHAIN'));
grant select, insert, update on book_minutes to tally_lane;

-- With the rows of the tape, whoever writes them: one upsert for all trades that were written at once, of servers of the release before too.
-- Within a unit, a later trade is never older than the one before; but a backup brings them in any order, and the minutes along with them.
create function tally_add_minutes() returns trigger language plpgsql as $$
begin
  if current_setting('tally.restoring', true) = 'on' then
    return null;
  end if;
  insert into book_minutes as m (unit_id, book_id, minute, trade_count, volume_base, volume_quote, price_high, price_low, price_open,
    price_close, opened_at, opened_number, closed_at, closed_number)
  select unit_id, maker_book_id, date_trunc('minute', created_at, 'UTC'), count(*), sum(quantity), sum(notional), max(price), min(price),
    (array_agg(price order by number))[1], (array_agg(price order by number desc))[1],
    min(created_at), min(number), max(created_at), max(number)
  from fresh where settlement_status is distinct from 'FAILED' group by 1, 2, 3
  on conflict (book_id, minute, unit_id) do update set trade_count = m.trade_count + excluded.trade_count,
    volume_base = m.volume_base + excluded.volume_base, volume_quote = m.volume_quote + excluded.volume_quote,
    price_high = greatest(m.price_high, excluded.price_high), price_low = least(m.price_low, excluded.price_low),
    price_open = coalesce(m.price_open, excluded.price_open), price_close = excluded.price_close,
    opened_at = coalesce(m.opened_at, excluded.opened_at), opened_number = coalesce(m.opened_number, excluded.opened_number),
    closed_at = excluded.closed_at, closed_number = excluded.closed_number;
  return null;
end
$$;
create trigger adds_minutes after insert on trades referencing new table as fresh for each statement execute function tally_add_minutes();

-- Minutes of failed trades, counted anew from the tape: a high, a low or a last price may have been theirs.
create function tally_rebuild_minutes() returns trigger language plpgsql as $$
begin
  with hit as (
    select distinct unit_id, maker_book_id as book_id, date_trunc('minute', created_at, 'UTC') as minute from changed where settlement_status = 'FAILED'),
  counted as (
    select h.unit_id, h.book_id, h.minute, count(t.trade_id) as trade_count, coalesce(sum(t.quantity), 0) as volume_base,
      coalesce(sum(t.notional), 0) as volume_quote, max(t.price) as price_high, min(t.price) as price_low,
      (array_agg(t.price order by t.number))[1] as price_open, (array_agg(t.price order by t.number desc))[1] as price_close,
      min(t.created_at) as opened_at, min(t.number) as opened_number, max(t.created_at) as closed_at, max(t.number) as closed_number
    from hit h left join trades t on t.maker_book_id = h.book_id and t.unit_id = h.unit_id and t.created_at >= h.minute
      and t.created_at < h.minute + interval '1 minute' and t.settlement_status is distinct from 'FAILED'
    group by 1, 2, 3)
  update book_minutes m set trade_count = c.trade_count, volume_base = c.volume_base, volume_quote = c.volume_quote,
    price_high = c.price_high, price_low = c.price_low, price_open = c.price_open, price_close = c.price_close, opened_at = c.opened_at,
    opened_number = c.opened_number, closed_at = c.closed_at, closed_number = c.closed_number
  from counted c where m.book_id = c.book_id and m.minute = c.minute and m.unit_id = c.unit_id;
  return null;
end
$$;
create trigger rebuilds_minutes after update on trades referencing new table as changed for each statement
  execute function tally_rebuild_minutes();

-- Of the trades there are. The triggers hold the tape until this is done, so none is counted twice or left out.
set local role tally_operator;
insert into book_minutes
select unit_id, maker_book_id, date_trunc('minute', created_at, 'UTC'), count(*), sum(quantity), sum(notional), max(price), min(price),
  (array_agg(price order by number))[1], (array_agg(price order by number desc))[1], min(created_at), min(number), max(created_at), max(number)
from trades where settlement_status is distinct from 'FAILED' group by 1, 2, 3;
reset role;
