-- What the database believes of a holder is what it last counted. By share of a table that is once in ten million rows, and until then a page of
-- somebody who began to trade is found by reading all that they ever did: these tables are counted anew sooner, whatever their size.
alter table trades set (autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.002, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table orders set (autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.002, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table ledger_bookings
  set (autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.002, autovacuum_vacuum_insert_scale_factor = 0.02);
