import { connectTestCluster } from '@tallystick/testkit'
import { expect, inject, it } from 'vitest'
import { connectSuperuser } from '../../../test/superuser.ts'
import { migrate } from './migrate.ts'

const CHAIN_ID = 31_337
const at = (digit: string) => `0x${digit.repeat(40)}`

it('gives markets that are on record the venue that their events name last', async () => {
  const cluster = await connectTestCluster(inject('clusterUrl'))
  const { url, drop } = await cluster.cloneDatabase('template0')
  await migrate(url, 23)
  const superuser = connectSuperuser(url)
  for (const market of [at('1'), at('2'), at('3')])
    await superuser`
      insert into lending_markets (chain_id, market_address, factory, deployer, collateral_token, collateral_name, collateral_symbol,
        collateral_decimals, borrow_asset, borrow_symbol, borrow_decimals, mode, price_source, oracle, rate_model, insurance_fund,
        adapter, router, deployed_block, deployed_at, deploy_tx)
      values (${CHAIN_ID}, ${market}, ${market}, ${market}, ${market}, 'n', 's', 18, ${market}, 's', 6, 'FREEZE', 'NAV', ${market},
        ${market}, ${market}, ${market}, ${market}, 1, now(), '0x')`
  const told = async (market: string, block: number, venue: string) => {
    const txHash = `${market}${block}`
    await superuser`
      insert into chain_logs ${superuser({ chain_id: CHAIN_ID, tx_hash: txHash, log_index: 0, block_log_index: 0, address: market, topics: [], data: '0x', block_number: block, block_hash: '0x', block_time: 1, tx_from: '0x', finality: 'MINED' })}`
    await superuser`
      insert into chain_facts values (gen_random_uuid(), ${CHAIN_ID}, ${txHash}, 0, ${market}, 'market.AuctionModuleUpdated',
        ${superuser.json({ newModule: venue })})`
  }
  await told(at('1'), 1, at('a'))
  await told(at('1'), 2, at('b'))
  await told(at('2'), 1, at('a'))
  await told(at('2'), 2, at('0'))
  await migrate(url)
  const markets = await superuser`select market_address, venue from lending_markets order by 1`
  expect(markets.map(({ venue }) => venue)).toEqual([at('b'), null, null])
  await superuser.end()
  await drop()
})

it('knows the words of a register that is filled and which are frequent, so that searches do well at once', async () => {
  const cluster = await connectTestCluster(inject('clusterUrl'))
  const { url, drop } = await cluster.cloneDatabase('template0')
  await migrate(url, 54)
  const superuser = connectSuperuser(url)
  await superuser`insert into register_authorities values ('de a', ${'\n aufsicht ( baaufs)'})`
  await superuser`
    insert into register_entities (entity_id, file, entity_name, license_type, entity_type, services, passported_countries, also_named,
      white_papers, data_notes, first_seen_at, changed_at, name_key, identifier_key, authority_key, search_text)
    values (gen_random_uuid(), 'CASPS', 'n', 'CASP', 'provider', '{}', '{}', '{}', '[]', '{}', now(), now(), 'n', '529900t8bm49aursdo55',
      'de a', ${`\n alba- zenith, gmbh\n οδοσα zenith\n 529900t8bm49aursdo55\t ${'a'.repeat(3_000)}`})`
  await migrate(url)
  const words = await superuser`select word from register_words order by 1`
  expect(words.map(({ word }) => word)).toEqual(['aufsicht', 'baaufs', 'zenith', 'οδοσα'])
  const counted = await superuser`
    select left(texts, 8) as beginning, length(texts), get_byte(grams, tally_gram_slot('zen')) as twice,
           get_byte(grams, tally_gram_slot('aaa')) as most
    from register_sample`
  expect(counted).toEqual([{ beginning: '\n alba- ', length: 500, twice: 2, most: 255 }])
  await superuser.end()
  await drop()
})
