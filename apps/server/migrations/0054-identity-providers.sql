-- People who sign in at an identity provider (OpenID Connect): invited by their e-mail address, and from the first time on known by their subject there.
alter table users
  alter column address drop not null,
  add column email text check (email = lower(email)),
  add column oidc_issuer text,
  add column oidc_subject text,
  add constraint users_can_sign_in check (address is not null or email is not null),
  add constraint users_known_there check ((oidc_issuer is null) = (oidc_subject is null));
create unique index users_of_email on users (instance_id, email);
create index users_by_email on users (email) where email is not null;
create index users_by_subject on users (oidc_issuer, oidc_subject) where oidc_subject is not null;

-- Whoever was sent to the provider and is not back yet: of no instance. The code that comes back is of use only together with what is kept here, and only
-- to the browser that was sent.
create table sign_in_flows (
  state_sha256 bytea primary key check (length(state_sha256) = 32),
  browser_sha256 bytea not null check (length(browser_sha256) = 32),
  domain text not null,
  nonce text not null,
  code_verifier text not null,
  -- Set once the provider has said who it is, while an instance has to be chosen.
  issuer text,
  subject text,
  email text,
  expires_at timestamptz not null,
  check ((issuer is null) = (subject is null))
);
create index sign_in_flows_by_end on sign_in_flows (expires_at);
select tally_guard('sign_in_flows');
