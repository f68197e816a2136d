-- A rotated secret goes on signing beside the new one until its receiver had time to learn that one.
alter table hooks
  add column previous_secret text,
  add column previous_secret_until timestamptz,
  add check ((previous_secret is null) = (previous_secret_until is null));
