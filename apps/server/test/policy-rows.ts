import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'

const CHAIN_ID = 31_337
export const contract = (digit: string) => `0x${digit.repeat(40)}`

/** One row of this instance in every tenant table. */
export async function fillTenant(superuser: Sql, instanceId: string, address: string): Promise<void> {
  const [key] = await superuser`select key_id from api_keys where instance_id = ${instanceId}`
  await superuser`insert into wallets values (${instanceId}, ${address}, null, true, 'EIP191', now())`
  await superuser`insert into wallet_challenges values (${instanceId}, 'n', ${address}, 'm', now())`
  await superuser`insert into idempotency_keys values (${instanceId}, 'o', 'k', '\\x00', 200, '\\x00', now())`
  await superuser`insert into rate_counters values (${instanceId}, ${key?.key_id}, now(), 1)`
  await superuser`insert into contract_access values (${instanceId}, ${CHAIN_ID}, ${address}, now())`
  await superuser`insert into recordings values (${instanceId}, 'o', ${CHAIN_ID}, ${address}, 0, 'call', now())`
  await superuser`
    insert into token_imports (instance_id, import_id, chain_id, token_address, name, symbol, decimals, framework, total_supply_raw,
                               facts, evidence, asset_type, status, imported_at, updated_at)
    values (${instanceId}, ${randomUUID()}, ${CHAIN_ID}, ${address}, 'n', 's', 0, 'erc20', 0, '{}', '[]', 'BOND', 'ACTIVE', now(), now())`
  await superuser`
    insert into market_records (instance_id, market_id, chain_id, origin, collateral_token, borrow_asset, mode, created_at)
    values (${instanceId}, ${randomUUID()}, ${CHAIN_ID}, 'DEPLOYED', ${address}, ${address}, 'FREEZE', now())`
  await superuser`
    insert into vault_records values (${instanceId}, ${randomUUID()}, ${CHAIN_ID}, ${address}, 'n', 's', ${address}, 's', 6, now(), '0x')`
  await superuser`insert into draft_bundles values (${instanceId}, ${`0x${'0'.repeat(64)}`}, '1.0.0', '{}', now())`
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
  await superuser`insert into deployed_contracts values (${CHAIN_ID}, 'n', ${contract('2')}, now())`
}

async function fillLending(superuser: Sql, market: string): Promise<void> {
  await superuser`
    insert into lending_markets (chain_id, market_address, factory, deployer, collateral_token, collateral_name, collateral_symbol,
      collateral_decimals, borrow_asset, borrow_symbol, borrow_decimals, mode, price_source, oracle, rate_model, insurance_fund, adapter,
      router, deployed_block, deployed_at, deploy_tx)
    values (${CHAIN_ID}, ${market}, ${market}, ${market}, ${market}, 'n', 's', 18, ${market}, 's', 6, 'FREEZE', 'NAV', ${market}, ${market},
      ${market}, ${market}, ${market}, 1, now(), '0x')`
  await superuser`insert into asset_bundles values (${CHAIN_ID}, ${market}, ${`0x${'0'.repeat(64)}`}, '1.0.0', '{}', now())`
  await superuser`
    insert into market_terms values (${CHAIN_ID}, ${market}, 1, ${randomUUID()}, null, 'c', '0x', false, ${market}, true, true, now(), now())`
  await superuser`
    insert into price_attestations values (${CHAIN_ID}, ${market}, ${randomUUID()}, 1, 1, 2, ${market}, '0x', ${randomUUID()}, now())`
}
