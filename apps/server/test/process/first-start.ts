import type { DemoWorld } from '@tallystick/demo'
import { services } from '@tallystick/wire'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { isAnnounced, partsIn, readDemo, stackEnvironment } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { runCommand } from './program.ts'

/** What a newcomer types, in a folder that is empty: fails unless all of it is there, and unless Ctrl-C ends all of it. */
export async function startForTheFirstTime(folder: string): Promise<void> {
  const npm = runCommand('npm', ['start'], { env: stackEnvironment(folder) })
  const [text] = await npm.prints(/Tallystick is ready after \d+\.\d s[\s\S]+Ctrl-C.+/)
  const demo = readDemo(folder)
  expect(text).toContain(`API       ${demo.baseUrl}\n`)
  expect(text).toContain(`Docs      ${demo.baseUrl}/docs\n`)
  expect(text).toContain(`Chain     ${demo.rpcUrl} (id 31337)\n`)
  for (const { apiKey } of Object.values(demo.instances)) expect(text).toContain(apiKey)
  expect(text).toContain(demo.registerKey)

  // Asked as the command asks, without the need of it: tests need Node and npm, and nothing else.
  const [, header = '', apiKey = '', url = ''] = /^ {2}curl -s -H "(X-API-Key): (\S+)" (http\S+)$/m.exec(text) ?? []
  const listed = (await (await fetch(url, { headers: { [header]: apiKey } })).json()) as { data: object[] }
  expect(listed.data).toHaveLength(8)
  expect((await fetch(`${demo.baseUrl}/docs`)).status).toBe(200)
  expect((await fetch(`${demo.baseUrl}/readyz`)).status).toBe(200)
  const [, metricsUrl = ''] = /^ {2}Metrics {3}(http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(text) ?? []
  expect(await (await fetch(metricsUrl)).text()).toMatch(/^tally_chain_followed\{chain="31337"\} \d+$/m)
  await expectDocumentedDemo(demo)

  // A terminal sends Ctrl-C to npm, its shell and the program alike.
  npm.signal('SIGINT')
  await npm.ended
  expect(npm.stderr()).not.toMatch(/tallystick:/)
  expect(partsIn(folder)).toEqual({ postgres: [], chain: [] })
  expect(isAnnounced(folder)).toBe(false)
  await expect(fetch(demo.baseUrl)).rejects.toThrow()
}

async function expectDocumentedDemo(demo: DemoWorld): Promise<void> {
  const call = (apiKey: string, path: string) => callHttp(demo.baseUrl, apiKey, 'GET', path)
  expect(Object.keys(demo)).toEqual([
    'baseUrl',
    'rpcUrl',
    'chainId',
    'instances',
    'registerKey',
    'contracts',
    'tokens',
    'markets',
    'orderBooks',
    'rfqs',
    'liquidations',
  ])
  expect(demo.chainId).toBe(31_337)
  expect(demo.registerKey).toMatch(/^tallyreg_[0-9A-Za-z]{8}_[0-9a-f]{64}$/)
  expect(Object.keys(demo.instances)).toEqual(['issuer', 'lender', 'trader', 'outsider'])
  for (const [role, { instanceId, apiKey, wallets }] of Object.entries(demo.instances)) {
    const { body } = await call(apiKey, '/access/api/instance')
    const environment = { chainId: 31_337, environment: 'DEVELOPMENT', lenderApproved: role === 'lender' }
    expect(body.data).toMatchObject({ instanceId, ...environment })
    expect(body.data.services.toSorted()).toEqual([...services].toSorted())
    const registered = await call(apiKey, '/access/api/wallets')
    const addresses = registered.body.data.map((one: { address: string }) => one.address)
    expect(addresses).toEqual(wallets.map((one) => one.address))
    for (const wallet of wallets)
      expect(privateKeyToAccount(wallet.privateKey as `0x${string}`).address.toLowerCase()).toBe(wallet.address)
  }
  const chain = createPublicClient({ transport: http(demo.rpcUrl) })
  for (const one of [...Object.values(demo.tokens), ...Object.values(demo.contracts)]) {
    expect(one).toMatch(/^0x[0-9a-f]{40}$/)
    expect(await chain.getCode({ address: one as `0x${string}` })).toBeDefined()
  }
  for (const role of ['issuer', 'trader']) {
    const { body } = await call(demo.instances[role]?.apiKey ?? '', '/external-tokens/api/list')
    const frameworks = body.data.map((one: { framework: string }) => one.framework).toSorted()
    // What the issuer platform deploys itself is imported by that.
    const own = role === 'issuer' ? ['erc3643', 'erc3643'] : []
    expect(frameworks).toEqual(['erc1155', 'erc1400', 'erc20', 'erc20', 'erc3643', ...own, 'erc721'])
  }
}
