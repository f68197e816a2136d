-- How far the watch over pending settlements has come: an event that settled one of the trades stands above `checked_block`.
alter table settlements add column checked_block bigint;
create index settlements_open on settlements (settlement_id) where status in ('PENDING', 'PROCESSING');
