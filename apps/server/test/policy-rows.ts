import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'

const CHAIN_ID = 31_337
export const contract = (digit: string) => `0x${digit.repeat(40)}`

/** One row of this instance in every tenant table. */
export async function fillTenant(superuser: Sql, instanceId: string, address: string): Promise<void> {
  const [key] = await superuser`select key_id from api_keys where instance_id = ${instanceId}`
  await superuser`insert into wallets values (${instanceId}, ${address}, null, true, 'EIP191', now())`
  await superuser`
    insert into built_transactions (instance_id, transaction_id, maker_name, operation, summary, path, chain_id, calls, built_at)
    values (${instanceId}, ${randomUUID()}, 'n', 'o', 's', '/p', ${CHAIN_ID}, '[]', now())`
  const userId = randomUUID()
  await superuser`insert into users values (${instanceId}, ${userId}, ${address}, 'n', 'viewer', now())`
  await superuser`insert into approval_policies values (${instanceId}, true, ${userId}, now(), now())`
  const sessionId = randomUUID()
  await superuser`
    insert into api_keys (instance_id, key_id, ref, secret_sha256, name, scopes, status, created_at, is_session)
    values (${instanceId}, ${sessionId}, ${sessionId.slice(0, 8)}, sha256('s'), 'n', '{}', 'REVOKED', now() + interval '1 day', true)`
  await superuser`insert into sessions values (${instanceId}, ${sessionId}, ${userId}, null, null, now(), now(), now())`
  await superuser`insert into stream_tickets values (${instanceId}, sha256(${address}::text::bytea), ${sessionId}, '/p', now())`
  await superuser`insert into key_requests values (${instanceId}, ${sessionId}, 'r', now(), 'GET', '/p', 200, 1)`
  await superuser`insert into wallet_challenges values (${instanceId}, 'n', ${address}, 'm', now())`
  await superuser`insert into idempotency_keys values (${instanceId}, 'o', 'k', '\\x00', 200, '\\x00', now())`
  await superuser`insert into idempotency_claims values (${instanceId}, 'o', 'k', 'w', now())`
  await superuser`insert into rate_counters values (${instanceId}, ${key?.key_id}, now(), 1)`
  await superuser`insert into contract_access values (${instanceId}, ${CHAIN_ID}, ${address}, now())`
  await superuser`insert into recordings values (${instanceId}, 'o', ${CHAIN_ID}, ${address}, 0, 'call', now())`
  await superuser`
    insert into token_imports (instance_id, import_id, chain_id, token_address, name, symbol, decimals, framework, total_supply_raw,
                               facts, evidence, asset_type, status, imported_at, updated_at)
    values (${instanceId}, ${randomUUID()}, ${CHAIN_ID}, ${address}, 'n', 's', 0, 'erc20', 0, '{}', '[]', 'BOND', 'ACTIVE', now(), now())`
  await fillRelayer(superuser, instanceId, address)
  await superuser`
    insert into stock_tokens (instance_id, chain_id, token_address, factory, name, symbol, isin, decimals, issuer_address, compliance_module,
      deploy_tx, recorded_at, updated_at)
    values (${instanceId}, ${CHAIN_ID}, ${address}, ${address}, 'n', 's', 'i', 18, ${address}, ${address}, '0x', now(), now())`
  await superuser`insert into stock_reasons values (${instanceId}, ${`0x${'0'.repeat(64)}`}, 'w', now())`
  const marketId = randomUUID()
  await superuser`
    insert into market_records (instance_id, market_id, chain_id, origin, collateral_token, borrow_asset, mode, created_at)
    values (${instanceId}, ${marketId}, ${CHAIN_ID}, 'DEPLOYED', ${address}, ${address}, 'FREEZE', now())`
  await fillHooks(superuser, instanceId, marketId)
  await superuser`
    insert into vault_records values (${instanceId}, ${randomUUID()}, ${CHAIN_ID}, ${address}, 'n', 's', ${address}, 's', 6, now(), '0x')`
  await fillIdentity(superuser, instanceId, address)
  await fillTrading(superuser, instanceId, address)
  await superuser`insert into draft_bundles values (${instanceId}, ${`0x${'0'.repeat(64)}`}, '1.0.0', '{}', now())`
}

async function fillRelayer(superuser: Sql, instanceId: string, address: string): Promise<void> {
  const relayId = randomUUID()
  await superuser`
    insert into relayers (instance_id, chain_id, address, keystore_file, created_at, updated_at)
    values (${instanceId}, ${CHAIN_ID}, ${address}, 'k', now(), now())`
  await superuser`
    insert into relays (instance_id, relay_id, chain_id, sender, nonce, kind, purpose, target, calldata, value, state, created_at)
    values (${instanceId}, ${relayId}, ${CHAIN_ID}, ${address}, 0, 'CALL', 'p', ${address}, '0x', 0, 'SIGNED', now())`
  await superuser`
    insert into relay_attempts (instance_id, attempt_id, relay_id, ordinal, tx_hash, raw, kind, gas_limit, max_fee_per_gas, status,
      created_at, updated_at)
    values (${instanceId}, ${randomUUID()}, ${relayId}, 1, ${`0x${'0'.repeat(64)}`}, '0x', 'CALL', 1, 1, 'pending', now(), now())`
}

async function fillIdentity(superuser: Sql, instanceId: string, address: string): Promise<void> {
  await superuser`
    insert into identity_records values (${instanceId}, ${CHAIN_ID}, ${address}, ${address}, '0x', 0, 'verified', 'DEU', 'RETAIL', now())`
  await superuser`
    insert into identity_proofs values (${instanceId}, ${CHAIN_ID}, ${address}, ${address}, 0, '0x', 0, 'f', '0x', '0x', now())`
  await superuser`
    insert into identity_audit values (${instanceId}, ${CHAIN_ID}, '0x', 0, ${address}, ${address}, 0, 'REVOKE_CLAIM', '[]', now())`
}

async function fillTrading(superuser: Sql, instanceId: string, address: string): Promise<void> {
  const [bookId, accountId] = [randomUUID(), randomUUID()]
  const quote = contract('f')
  await superuser`
    insert into order_books (instance_id, book_id, unit_id, class, chain_id, token_address, quote_token_address, name, symbol, status,
                             token_type, settlement_mode, created_at, updated_at)
    values (${instanceId}, ${bookId}, ${bookId}, 'stocks', ${CHAIN_ID}, ${address}, ${quote}, 'n', 's', 'ACTIVE', 'LIGHT_TOKEN',
            'OFF_CHAIN', now(), now())`
  await superuser`insert into book_access values (${instanceId}, ${bookId}, 'OWNER', null, true, now(), now())`
  await superuser`insert into price_reference_log values (${instanceId}, ${randomUUID()}, ${bookId}, 1, 'MANUAL', 'EVERY_TRADE', now())`
  await superuser`
    insert into orders (unit_id, order_id, book_id, instance_id, account_id, holder, side, order_type, price, quantity, status,
                        time_in_force, post_only, stp_mode, sequence, created_at, updated_at)
    values (${bookId}, ${randomUUID()}, ${bookId}, ${instanceId}, ${accountId}, 'offchain:c', 'BUY', 'LIMIT', 1, 1, 'OPEN', 'GTC', false,
            'NONE', 1, now(), now())`
  await superuser`
    insert into trading_accounts (instance_id, account_id, holder, created_at, updated_at)
    values (${instanceId}, ${accountId}, 'offchain:c', now(), now())`
  await fillRfq(superuser, instanceId, bookId, accountId)
  await superuser`insert into client_order_ids values (${instanceId}, ${accountId}, 'c', ${randomUUID()})`
  await fillUnit(superuser, instanceId, bookId)
  await superuser`insert into lanes (lane_id) values (${instanceId})`
  await superuser`insert into lane_projections (lane_id) values (${instanceId})`
  await superuser`
    insert into lane_groups values (${instanceId}, 1, 0, ${randomUUID()}, ${bookId}, 1, 1, 1, 'h', now(), '{}', 'h', '[]', '[]', '[]', '[]',
                                    '[]', '[]', '[]', '[]')`
  await superuser`insert into ledger_tokens values (${instanceId}, ${address}, 's', null, now())`
  await superuser`insert into ledger_balances values (${instanceId}, 'offchain:c', ${address}, 1, 0, now())`
  await superuser`
    insert into ledger_entries values (${instanceId}, ${randomUUID()}, 'CREDIT', ${address}, 'external', 'offchain:c', 1, null, null, now())`
}

async function fillRfq(superuser: Sql, instanceId: string, bookId: string, accountId: string): Promise<void> {
  const [rfqId, quoteId, wallet] = [randomUUID(), randomUUID(), contract('a')]
  await superuser`
    insert into rfqs values (${instanceId}, ${rfqId}, ${bookId}, ${wallet}, ${wallet}, ${wallet}, ${CHAIN_ID}, ${wallet}, 'BUY', 1, 'QUOTED',
                             now(), now(), now())`
  await superuser`
    insert into rfq_quotes values (${instanceId}, ${quoteId}, ${rfqId}, 1, ${wallet}, ${accountId}, 1, now(), ${quoteId}, ${wallet}, 1,
                                   'ACTIVE', now(), now())`
  await superuser`insert into rfq_events values (${instanceId}, 1, ${rfqId}, ${quoteId}, 'ACTIVE', '{}', now())`
  await superuser`insert into rfq_archived values (${instanceId}, 1)`
}

async function fillUnit(superuser: Sql, instanceId: string, bookId: string): Promise<void> {
  const [settlementId, orderId] = [randomUUID(), randomUUID()]
  await superuser`insert into matching_units values (${bookId}, 1, 1, 'h', now())`
  await superuser`insert into unit_groups values (${bookId}, 1, ${randomUUID()}, 1, now())`
  await superuser`insert into unit_journal values (${bookId}, 1, '{}', 'h')`
  await superuser`
    insert into book_auctions (unit_id, auction_id, book_id, status, started_at, ends_at, created_at, updated_at)
    values (${bookId}, ${randomUUID()}, ${bookId}, 'COLLECTING', now(), now(), now(), now())`
  await superuser`insert into book_spreads values (${bookId}, ${bookId}, now(), 1, 0)`
  await superuser`insert into unit_snapshots values (${bookId}, 1, '{}', 'h', now())`
  await superuser`insert into book_days (unit_id, book_id, day) values (${bookId}, ${bookId}, now())`
  await superuser`
    insert into settlements (unit_id, settlement_id, book_id, status, created_at, updated_at)
    values (${bookId}, ${settlementId}, ${bookId}, 'PENDING', now(), now())`
  await superuser`
    insert into trades (unit_id, trade_id, number, sequence, origin, maker_book_id, taker_book_id, maker_order_id, taker_order_id,
                        maker_instance_id, taker_instance_id, maker_holder, taker_holder, side, price, quantity, notional, maker_fee,
                        taker_fee, maker_quote_fee, taker_quote_fee, settlement_id, settlement_status, created_at)
    values (${bookId}, ${randomUUID()}, 1, 1, 'CLOB', ${bookId}, ${bookId}, ${orderId}, ${orderId}, ${instanceId}, ${instanceId}, 'm', 't',
            'BUY', 1, 1, 1, 0, 0, 0, 0, ${settlementId}, 'PROCESSING', now())`
  const [word, wallet] = [
    `0x${orderId.replaceAll('-', '').padEnd(64, '0')}`,
    `0x${orderId.replaceAll('-', '').padEnd(40, '0')}`,
  ]
  await superuser`
    insert into signed_orders values (${bookId}, ${orderId}, ${CHAIN_ID}, ${wallet}, ${word}, ${wallet}, ${wallet}, ${wallet}, true, 1, 1, 0, 1, 0,
                                      ${word}, '0x', now())`
  await superuser`insert into custody_reservations values (${CHAIN_ID}, ${wallet}, ${wallet}, ${wallet}, 1, now())`
}

async function fillHooks(superuser: Sql, instanceId: string, marketId: string): Promise<void> {
  const hookId = randomUUID()
  await superuser`
    insert into hooks (instance_id, hook_id, market_id, name, kind, url, secret, active, armed_at, armed_block, created_at, updated_at)
    values (${instanceId}, ${hookId}, ${marketId}, 'n', 'LOAN_SEIZED', 'u', 's', true, now(), 0, now(), now())`
  await superuser`insert into hook_states values (${instanceId}, ${hookId}, '1', now())`
  await superuser`
    insert into hook_deliveries (instance_id, delivery_id, hook_id, webhook_id, type, body, status, created_at)
    values (${instanceId}, ${randomUUID()}, ${hookId}, 'w', 't', '{}', 'DELIVERED', now())`
}

/** Facts of two contracts, and one row in every other chain table. */
export async function fillChain(superuser: Sql): Promise<void> {
  for (const address of [contract('0'), contract('1')]) {
    await superuser`insert into watched_contracts values (${CHAIN_ID}, ${address}, 'k', 0)`
    await superuser`
      insert into chain_logs ${superuser({ chain_id: CHAIN_ID, tx_hash: address, log_index: 0, block_log_index: 0, address, topics: [], data: '0x', block_number: 1, block_hash: '0x', block_time: 1, tx_from: '0x', finality: 'MINED' })}`
    await superuser`insert into chain_facts values (${randomUUID()}, ${CHAIN_ID}, ${address}, 0, ${address}, 'o', '{}')`
    await superuser`insert into chain_notices values (${randomUUID()}, ${CHAIN_ID}, ${address}, 'FACT_ORPHANED', ${address}, 0, 'o', now())`
    await fillLending(superuser, address)
  }
  await superuser`insert into chain_blocks values (${CHAIN_ID}, 1, '0x')`
  await superuser`insert into chain_cursors values (${CHAIN_ID}, '0x', 1, '0x', now())`
  await superuser`insert into watch_turns values (${CHAIN_ID}, 'LIENS', 1, now())`
  await superuser`insert into deployed_contracts values (${CHAIN_ID}, 'n', ${contract('2')}, now())`
}

async function fillLending(superuser: Sql, market: string): Promise<void> {
  await superuser`
    insert into lending_markets (chain_id, market_address, factory, deployer, collateral_token, collateral_name, collateral_symbol,
      collateral_decimals, borrow_asset, borrow_symbol, borrow_decimals, mode, price_source, oracle, rate_model, insurance_fund, adapter,
      router, deployed_block, deployed_at, deploy_tx)
    values (${CHAIN_ID}, ${market}, ${market}, ${market}, ${market}, 'n', 's', 18, ${market}, 's', 6, 'FREEZE', 'NAV', ${market}, ${market},
      ${market}, ${market}, ${market}, 1, now(), '0x')`
  await superuser`insert into contract_parts values (${CHAIN_ID}, ${market}, ${contract('4')})`
  await superuser`insert into asset_bundles values (${CHAIN_ID}, ${market}, ${`0x${'0'.repeat(64)}`}, '1.0.0', '{}', now())`
  await superuser`
    insert into market_terms values (${CHAIN_ID}, ${market}, 1, ${randomUUID()}, null, 'c', '0x', false, ${market}, true, true, now(), now())`
  await superuser`
    insert into price_attestations values (${CHAIN_ID}, ${market}, ${randomUUID()}, 1, 1, 2, ${market}, '0x', ${randomUUID()}, now())`
  await superuser`
    insert into lien_shortfalls values (${randomUUID()}, ${CHAIN_ID}, ${market}, ${market}, ${market}, 2, 1, 2, 1, '0x', now(), null, false)`
  await superuser`insert into lien_checks values (${CHAIN_ID}, ${market}, 1, 1, now(), 1, 0)`
  await superuser`insert into open_loans values (${CHAIN_ID}, ${market}, 1, 0, 1)`
  await superuser`insert into standing_pledges values (${CHAIN_ID}, ${market}, 1, ${market})`
}

/** One row in every table of the register. */
export async function fillRegister(superuser: Sql): Promise<void> {
  const entityId = randomUUID()
  await superuser`insert into register_imports values (1, 'CASPS', 's', null, 'h', 1, 1, 1, 0, '[]', 1, 0, 0, now())`
  await superuser`insert into register_sources values ('s', 'CASPS', now(), null, null)`
  await superuser`insert into register_failures values (${randomUUID()}, 'CASPS', 's', 'r', now())`
  await superuser`insert into register_authorities values ('a', 'a')`
  await superuser`
    insert into register_entities (entity_id, file, entity_name, license_type, entity_type, services, passported_countries, also_named,
      white_papers, data_notes, first_seen_at, changed_at, name_key, authority_key, search_text)
    values (${entityId}, 'CASPS', 'n', 'CASP', 'provider', '{}', '{}', '{}', '[]', '{}', now(), now(), 'n', 'a', 'n')`
  await superuser`insert into register_trade_names values (${entityId}, 't', 'n')`
  await superuser`insert into register_words values ('words')`
  await superuser`insert into register_sample (texts) values ('words')`
  await superuser`insert into register_changes values (1, 0, 'CASPS', 'added', ${entityId}, 'n', 'CASP', '[]', now())`
}
