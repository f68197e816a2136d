import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { writeTemporaryTree } from '../support/temporary-tree.ts'
import { checkBorders } from './borders.ts'

type Rule = { name: string }
const rules: Rule[] = createRequire(import.meta.url)(join(repositoryRoot, '.dependency-cruiser.cjs')).forbidden

const manifest = (name: string, dependencies: string[], devDependencies: string[] = []) => {
  const versions = (names: string[]) => Object.fromEntries(names.map((each) => [each, '1.0.0']))
  return JSON.stringify({
    name,
    version: '1.0.0',
    type: 'module',
    exports: './src/index.ts',
    dependencies: versions(dependencies),
    devDependencies: versions(devDependencies),
  })
}
const npmPackage = (name: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    name,
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
  }),
  [`node_modules/${name}/index.js`]: 'export const answer = 42\n',
})
const ourPackage = (name: string, dependencies: string[] = []) => ({
  [`packages/${name}/package.json`]: manifest(`@tallystick/${name}`, dependencies),
  [`packages/${name}/src/index.ts`]: `export const ${name} = 1\n`,
  [`node_modules/@tallystick/${name}`]: { linkTo: `packages/${name}` },
})

const uses = (...specifiers: string[]) =>
  specifiers.map((specifier, at) => `import * as used${at} from '${specifier}'\nexport { used${at} }\n`).join('')
const usesType = (specifier: string) => `import type { Thing } from '${specifier}'\nexport type Used = Thing\n`
const thing = 'export type Thing = string\nexport const thing = 1\n'

const server = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`apps/server/src/${path}`, text]))

const foundation = {
  'package.json': manifest('root', [], ['vitest']),
  'apps/server/package.json': manifest(
    '@tallystick/server',
    ['@tallystick/abi', '@tallystick/wire', 'fastify', 'postgres', 'viem'],
    ['@tallystick/testkit', 'ajv'],
  ),
  'apps/demo/package.json': manifest('@tallystick/demo', ['@tallystick/server']),
  'node_modules/@tallystick/server': { linkTo: 'apps/server' },
  ...npmPackage('typebox'),
  ...npmPackage('viem'),
  ...npmPackage('fastify'),
  ...npmPackage('postgres'),
  ...npmPackage('ajv'),
  ...npmPackage('stranger'),
  ...npmPackage('vitest'),
  ...ourPackage('wire', ['typebox']),
  ...ourPackage('abi'),
  ...ourPackage('engine'),
  ...ourPackage('embedded'),
  ...ourPackage('sdk', ['viem']),
  ...ourPackage('testkit', ['@tallystick/abi', '@tallystick/embedded']),
  ...server({ 'platform/http/http.ts': thing, 'platform/db/db.ts': thing, 'platform/chain/chain.ts': thing }),
}

const allowed = {
  ...foundation,
  'packages/wire/src/schema.ts': uses('typebox'),
  'packages/wire/src/index.ts': uses('./schema.ts'),
  'packages/testkit/src/index.ts': uses('@tallystick/abi', '@tallystick/embedded', 'viem'),
  'packages/embedded/test/kit.ts': uses('../src/index.ts'),
  'apps/demo/src/main.ts': uses('@tallystick/server', './seed.ts'),
  'apps/demo/src/seed.ts': thing,
  'contracts/src/lending/Market.sol': 'import {Roles} from "../base/Roles.sol";\n',
  'apps/server/test/world.ts': uses('@tallystick/testkit', '../src/stocks/stocks.store.ts'),
  ...server({
    'main.api.ts': uses('./app.ts'),
    'index.ts': uses('./app.ts'),
    'app.ts': uses('./stocks/index.ts', './tokens/index.ts', './platform/http/http.ts', './stocks/stocks.job.ts'),
    'platform/config.ts': uses('@tallystick/wire', '@tallystick/abi', 'viem', 'node:fs'),
    'platform/http/server.ts': uses('fastify', './http.ts', '../config.ts'),
    'stocks/index.ts': uses('./stocks.service.ts', './issue.route.ts'),
    'stocks/stocks.service.ts': uses(
      './stocks.store.ts',
      './stocks.reads.ts',
      './issue.call.ts',
      '../tokens/index.ts',
      '../platform/db/db.ts',
    ),
    'stocks/stocks.rules.ts': uses('@tallystick/wire', '@tallystick/engine', './amount.rules.ts', 'node:crypto'),
    'stocks/amount.rules.ts': uses('@tallystick/wire'),
    'stocks/issue.call.ts': `${uses('viem', '@tallystick/abi', './stocks.rules.ts')}${usesType('../platform/chain/chain.ts')}`,
    'stocks/stocks.reads.ts': uses('viem', '@tallystick/abi', '@tallystick/wire', '../platform/chain/chain.ts'),
    'stocks/stocks.store.ts': uses('../platform/db/db.ts', '@tallystick/wire', './stocks.rules.ts'),
    'stocks/issue.route.ts': `${uses('@tallystick/wire', '../platform/http/http.ts')}${usesType('./stocks.service.ts')}`,
    'stocks/stocks.job.ts': uses('./stocks.service.ts', '../platform/db/db.ts'),
    'stocks/stocks.store.test.ts': uses('vitest', './stocks.service.ts', '@tallystick/testkit', '../app.ts'),
    'trading/index.ts': uses('./unit/index.ts', './books/index.ts', './streams/index.ts'),
    'trading/parts.ts': usesType('./unit/index.ts'),
    'trading/unit/index.ts': uses('./unit.service.ts', './turn.ts'),
    'trading/unit/index.rules.ts': `${uses('./party.rules.ts')}${usesType('./unit.store.ts')}`,
    'trading/unit/unit.service.ts': uses('./turn.ts', './unit.store.ts'),
    'trading/unit/unit.store.ts': uses('../../platform/db/db.ts'),
    'trading/unit/party.rules.ts': thing,
    'trading/unit/turn.ts': `${uses('./unit.store.ts')}${usesType('./unit.service.ts')}`,
    'trading/books/index.ts': uses('./books.service.ts'),
    'trading/books/books.service.ts': `${uses('../unit/index.ts', '../unit/index.rules.ts')}${usesType('../parts.ts')}`,
    'trading/streams/index.ts': uses('./fill.rules.ts', '../books/index.ts'),
    'trading/streams/fill.rules.ts': uses('../unit/index.rules.ts'),
    'trading/streams/fill.rules.test.ts': uses('vitest', './index.ts', '../unit/index.ts'),
    'lending/index.ts': uses('./core/index.ts', './loans/index.ts'),
    'lending/contracts.ts': uses('@tallystick/abi'),
    'lending/core/index.ts': uses('./market-write.ts'),
    'lending/core/index.rules.ts': usesType('./market.store.ts'),
    'lending/core/market-write.ts': `${uses('../contracts.ts')}${usesType('./market.store.ts')}`,
    'lending/core/market.store.ts': `${uses('../../platform/db/db.ts')}export type Thing = string\n`,
    'lending/loans/index.ts': uses('./loans.service.ts', './borrow.write.ts'),
    'lending/loans/loans.service.ts': uses('../core/index.ts', './draw-state.ts'),
    'lending/loans/draw-state.ts': usesType('./loans.service.ts'),
    'lending/loans/borrow.write.ts': uses('../core/index.ts', './loan.reads.ts'),
    'lending/loans/loan.reads.ts': `${uses('../contracts.ts')}${usesType('../core/index.rules.ts')}`,
    'lending/loans/loan.rules.ts': usesType('../core/index.rules.ts'),
    'lending/loans/loan.rules.test.ts': uses('vitest', './loan.rules.ts', '../core/index.ts'),
    'identity/index.ts': uses('./register/index.ts', './proofs/index.ts'),
    'identity/parts.ts': thing,
    'identity/values/index.rules.ts': uses('./slot.rules.ts'),
    'identity/values/slot.rules.ts': thing,
    'identity/register/index.ts': uses('./register.service.ts'),
    'identity/register/register.service.ts': `${uses('../values/index.rules.ts')}${usesType('../parts.ts')}`,
    'identity/register/piece.ts': usesType('./register.service.ts'),
    'identity/proofs/index.ts': uses('./proof.rules.ts', '../register/index.ts'),
    'identity/proofs/proof.rules.ts': uses('../values/index.rules.ts'),
    'identity/proofs/proof.rules.test.ts': uses('vitest', './index.ts', '../register/index.ts'),
    'tokens/index.ts': uses('./parent.service.ts'),
    'tokens/parent.service.ts': uses('./child.service.ts'),
    'tokens/child.service.ts': usesType('./parent.service.ts'),
  }),
}

/** From the ground up. Every folder but the highest has a place that imports from the one above it. */
const orders: Record<string, string[]> = {
  trading: [
    ...['unit', 'books', 'references', 'accounts', 'ledger', 'reads', 'offchain-books', 'orders'],
    ...['signed', 'auctions', 'settlements', 'custody-setup', 'agreed', 'rfq', 'streams', 'archive'],
  ],
  lending: [
    ...['reverts', 'core', 'asset-data', 'market', 'registers', 'oracle', 'rates', 'upgrades', 'setup', 'terms'],
    ...['curator', 'extensions', 'fees', 'insurance', 'liquidity', 'vaults', 'loans', 'repayment', 'escrow'],
    ...['watch', 'figures', 'positions', 'router', 'auctions', 'liquidations'],
  ],
}
const upward = Object.fromEntries(
  Object.entries(orders).flatMap(([feature, folders]) =>
    folders.slice(0, -1).map((folder, at) => [
      `${feature}-order-${folder}`,
      {
        at: `apps/server/src/${feature}/${folder}/upward.service.ts`,
        text: usesType(`../${folders[at + 1]}/index.ts`),
      },
    ]),
  ),
)

/** The same for features whose rules are of one making: the broken places of one are those of the others. */
const orderedFolders = {
  identity: ['values', 'register', 'identities', 'claims', 'proofs', 'investors'],
  stocks: ['records', 'writes', 'deploy', 'fetch'],
}
const ofFeature = (feature: string, folders: readonly string[]): [rule: string, at: string, text: string][] => {
  const [lowest = '', second = ''] = folders
  const highest = folders.at(-1) ?? ''
  const at = `apps/server/src/${feature}`
  return [
    [`${feature}-face`, `${at}/${highest}/deep.service.ts`, uses(`../${lowest}/kept.service.ts`)],
    [`${feature}-own-face`, `${at}/${lowest}/mirror.service.ts`, usesType('./index.ts')],
    [`${feature}-pieces`, `${at}/${lowest}/piece.ts`, uses('./kept.service.ts')],
    [`${feature}-folders`, `${at}/${highest}/new.service.ts`, uses('../cellar/index.ts')],
    [`${feature}-ground`, `${at}/ground.ts`, usesType(`./${lowest}/index.ts`)],
    ...folders
      .slice(0, -1)
      .map((folder, place): [string, string, string] => [
        `${feature}-order-${folder}`,
        `${at}/${folder}/upward.service.ts`,
        usesType(`../${folders[place + 1]}/index.ts`),
      ]),
    // Variants that a looser rule would let through.
    [`${feature}-face`, `${at}/${highest}/typed.service.ts`, usesType(`../${lowest}/kept.service.ts`)],
    [`${feature}-face`, `${at}/${highest}/deep.service.test.ts`, uses(`../${lowest}/kept.service.ts`)],
    [`${feature}-face`, `${at}/wiring.ts`, uses(`./${lowest}/kept.service.ts`)],
    [`${feature}-order-${lowest}`, `${at}/${lowest}/far.rules.ts`, usesType(`../${highest}/index.rules.ts`)],
    ['layer-name', `${at}/${second}/helped.service.ts`, uses('./odd.helper.ts')],
    ['layer-plain', `${at}/${second}/routed.ts`, usesType('./odd.route.ts')],
  ]
}
const orderedPlaces = Object.entries(orderedFolders).flatMap(([feature, folders]) => ofFeature(feature, folders))
/** What the broken places of one feature point at. */
const orderedTargets = Object.fromEntries(
  Object.entries(orderedFolders).flatMap(([feature, folders]) => [
    ...[...folders, 'cellar'].flatMap((folder) => [
      [`${feature}/${folder}/index.ts`, thing],
      [`${feature}/${folder}/index.rules.ts`, thing],
    ]),
    [`${feature}/${folders[0]}/kept.service.ts`, thing],
    [`${feature}/${folders[1]}/odd.helper.ts`, thing],
    [`${feature}/${folders[1]}/odd.route.ts`, uses('@tallystick/wire')],
  ]),
)

/** One broken place per rule: where it stands, and what it wrongly imports. */
const broken: Record<string, { at: string; text: string }> = {
  'wire-alone': { at: 'packages/wire/src/broken.ts', text: uses('@tallystick/abi') },
  'abi-alone': { at: 'packages/abi/src/broken.ts', text: uses('viem') },
  'engine-alone': { at: 'packages/engine/src/broken.ts', text: uses('@tallystick/wire') },
  'embedded-alone': { at: 'packages/embedded/src/broken.ts', text: uses('@tallystick/wire') },
  'sdk-alone': { at: 'packages/sdk/src/broken.ts', text: uses('@tallystick/wire') },
  'testkit-borders': { at: 'packages/testkit/src/broken.ts', text: uses('@tallystick/wire') },
  'deployer-borders': { at: 'packages/deployer/src/broken.ts', text: uses('@tallystick/wire') },
  'testkit-only-in-tests': { at: 'apps/server/src/stocks/kit.service.ts', text: uses('@tallystick/testkit') },
  'console-borders': { at: 'apps/console/src/broken.ts', text: uses('@tallystick/wire') },
  'packages-below-apps': {
    at: 'packages/embedded/src/upward.ts',
    text: uses('../../../apps/server/src/platform/db/db.ts'),
  },
  'package-face': {
    at: 'apps/server/src/stocks/deep.service.test.ts',
    text: uses('../../../../packages/wire/src/index.ts'),
  },
  'app-face': { at: 'apps/demo/src/deep.ts', text: uses('../../server/src/platform/db/db.ts') },
  'apps-above-server': { at: 'apps/server/src/main.demo.ts', text: uses('../../demo/src/seed.ts') },
  'platform-knows-no-feature': { at: 'apps/server/src/platform/curious.ts', text: uses('../stocks/index.ts') },
  'feature-face': { at: 'apps/server/src/stocks/face.service.test.ts', text: uses('../tokens/child.service.ts') },
  'feature-below-app': { at: 'apps/server/src/stocks/wiring.service.ts', text: uses('../app.ts') },
  'feature-index': { at: 'apps/server/src/identity/index.ts', text: uses('../platform/db/db.ts') },
  'own-face': { at: 'apps/server/src/tokens/mirror.service.ts', text: usesType('./index.ts') },
  'trading-face': { at: 'apps/server/src/trading/streams/deep.service.ts', text: uses('../unit/unit.store.ts') },
  'trading-own-face': { at: 'apps/server/src/trading/unit/mirror.service.ts', text: usesType('./index.ts') },
  'trading-pieces': { at: 'apps/server/src/trading/unit/piece.ts', text: uses('./unit.service.ts') },
  'trading-folders': { at: 'apps/server/src/trading/streams/new.service.ts', text: uses('../cellar/index.ts') },
  'trading-ground': { at: 'apps/server/src/trading/ground.ts', text: usesType('./books/index.ts') },
  'lending-face': { at: 'apps/server/src/lending/loans/deep.service.ts', text: uses('../core/market.store.ts') },
  'lending-own-face': { at: 'apps/server/src/lending/core/mirror.service.ts', text: usesType('./index.rules.ts') },
  'lending-pieces': { at: 'apps/server/src/lending/loans/piece.ts', text: uses('./loans.service.ts') },
  'lending-folders': { at: 'apps/server/src/lending/loans/new.service.ts', text: uses('../cellar/index.ts') },
  'lending-ground': { at: 'apps/server/src/lending/parts.ts', text: usesType('./core/index.ts') },
  ...upward,
  'layer-rules': { at: 'apps/server/src/stocks/impure.rules.ts', text: uses('node:fs') },
  'layer-rules-types': { at: 'apps/server/src/stocks/rows.rules.ts', text: uses('./stocks.store.ts') },
  'layer-reads-types': { at: 'apps/server/src/stocks/rows.reads.ts', text: uses('./stocks.store.ts') },
  'layer-call': { at: 'apps/server/src/stocks/send.call.ts', text: uses('../platform/http/http.ts') },
  'layer-call-types': { at: 'apps/server/src/stocks/live.call.ts', text: uses('../platform/chain/chain.ts') },
  'layer-reads': { at: 'apps/server/src/stocks/row.reads.ts', text: uses('../platform/db/db.ts') },
  'layer-store': { at: 'apps/server/src/stocks/page.store.ts', text: uses('../platform/http/http.ts') },
  'layer-store-types': { at: 'apps/server/src/stocks/chain.store.ts', text: uses('../platform/chain/chain.ts') },
  'layer-service': { at: 'apps/server/src/stocks/loop.service.ts', text: uses('./issue.route.ts') },
  'layer-route': { at: 'apps/server/src/stocks/rows.route.ts', text: uses('./stocks.store.ts') },
  'layer-route-types': { at: 'apps/server/src/stocks/eager.route.ts', text: uses('./stocks.service.ts') },
  'layer-write': { at: 'apps/server/src/stocks/again.write.ts', text: uses('./issue.route.ts') },
  'layer-write-types': { at: 'apps/server/src/stocks/rows.write.ts', text: uses('./stocks.store.ts') },
  'layer-plain': { at: 'apps/server/src/tokens/piece.ts', text: uses('../stocks/issue.route.ts') },
  'layer-name': { at: 'apps/server/src/tokens/helped.service.ts', text: uses('./odd.helper.ts') },
  'layer-job': { at: 'apps/server/src/stocks/rows.job.ts', text: uses('./stocks.store.ts') },
  'no-cycle': { at: 'apps/server/src/tokens/egg.service.ts', text: uses('./hen.service.ts') },
  'no-dev-dependency': { at: 'apps/server/src/platform/dev.ts', text: uses('ajv') },
  'no-undeclared-dependency': { at: 'apps/server/src/platform/undeclared.ts', text: uses('stranger') },
  'no-test-code': { at: 'apps/server/src/platform/tested.ts', text: uses('../stocks/stocks.store.test.ts') },
  'no-unresolvable': { at: 'apps/server/src/platform/lost.ts', text: uses('./nowhere.ts') },
  'no-orphan': { at: 'apps/server/src/platform/orphan.ts', text: 'export const alone = 1\n' },
}

/** Broken places beyond one per rule: variants that a looser rule would let through. */
const alsoBroken: [rule: string, at: string, text: string][] = [
  ['layer-rules', 'apps/server/src/stocks/typed.rules.ts', usesType('../platform/db/db.ts')],
  ['layer-rules', 'apps/server/src/lending/market/foreign.rules.ts', uses('../../stocks/amount.rules.ts')],
  ['layer-store', 'apps/server/src/stocks/web.store.ts', usesType('fastify')],
  ['layer-store', 'apps/server/src/lending/market/other.store.ts', usesType('../../platform/http/http.ts')],
  ['layer-route', 'apps/server/src/stocks/direct.route.ts', usesType('../platform/db/db.ts')],
  ['feature-face', 'apps/server/src/stocks/faceless.service.ts', usesType('../tokens/child.service.ts')],
  ['trading-face', 'apps/server/src/trading/streams/typed.service.ts', usesType('../unit/unit.service.ts')],
  ['trading-face', 'apps/server/src/trading/streams/deep.service.test.ts', uses('../unit/turn.ts')],
  ['trading-face', 'apps/server/src/trading/wiring.ts', uses('./unit/unit.service.ts')],
  ['trading-order-unit', 'apps/server/src/trading/unit/far.service.ts', usesType('../streams/index.ts')],
  ['trading-order-unit', 'apps/server/src/trading/unit/parted.service.ts', usesType('../parts.ts')],
  ['trading-order-books', 'apps/server/src/trading/books/far.rules.ts', usesType('../streams/fill.rules.ts')],
  ['lending-face', 'apps/server/src/lending/loans/typed.rules.ts', usesType('../core/market.store.ts')],
  ['lending-face', 'apps/server/src/lending/loans/deep.service.test.ts', uses('../core/market-write.ts')],
  ['lending-face', 'apps/server/src/lending/wiring.ts', uses('./core/market-write.ts')],
  ['lending-order-core', 'apps/server/src/lending/core/far.ts', usesType('../liquidations/index.ts')],
  ['layer-reads', 'apps/server/src/lending/loans/impure.reads.ts', uses('../core/index.ts')],
  ['layer-plain', 'apps/server/src/lending/loans/routed.ts', usesType('./loans.route.ts')],
  ['layer-name', 'apps/server/src/lending/loans/helped.service.ts', uses('./odd.checks.ts')],
  ['layer-rules', 'apps/server/src/trading/streams/impure.rules.ts', uses('../unit/index.ts')],
  ['layer-rules', 'apps/server/src/trading/books/index.rules.ts', uses('./books.service.ts')],
  ['layer-plain', 'apps/server/src/trading/unit/routed.ts', usesType('./unit.route.ts')],
  ['layer-name', 'apps/server/src/trading/unit/helped.service.ts', uses('./odd.helper.ts')],
  ['testkit-only-in-tests', 'packages/embedded/src/kit.ts', uses('@tallystick/testkit')],
  ['no-test-code', 'packages/embedded/src/tested.ts', uses('../test/kit.ts')],
  ['contract-families', 'contracts/src/trading/Vault.sol', 'import {Market} from "../lending/Market.sol";\n'],
  ['folder-circle', 'apps/server/src/platform/circle.ts', usesType('./http/server.ts')],
  ['no-cycle', 'apps/server/src/tokens/chick.service.ts', usesType('./nest.service.ts') + uses('./nest.service.ts')],
]

describe('borders', () => {
  const trees: { remove: () => void }[] = []
  const tree = (entries: Parameters<typeof writeTemporaryTree>[0]) => {
    const written = writeTemporaryTree(entries)
    trees.push(written)
    return written.root
  }
  afterAll(() => {
    for (const each of trees) each.remove()
  })

  it('has a broken example for every rule', () => {
    const shown = new Set([...Object.keys(broken), ...orderedPlaces.map(([rule]) => rule)])
    expect([...shown].sort()).toEqual(rules.map((rule) => rule.name).sort())
  })

  it('accepts a tree that uses everything each layer may use', async () => {
    expect(await checkBorders(tree(allowed))).toMatchObject({ passed: true })
  })

  it('names the rule and the place of every violation', async () => {
    const places: [rule: string, at: string, text: string][] = [
      ...Object.entries(broken).map(([rule, { at, text }]): [string, string, string] => [rule, at, text]),
      ...alsoBroken,
      ...orderedPlaces,
    ]
    const root = tree({
      ...allowed,
      ...server({
        'tokens/hen.service.ts': uses('./egg.service.ts'),
        'tokens/nest.service.ts': uses('./chick.service.ts'),
        'tokens/odd.helper.ts': thing,
        'trading/unit/odd.helper.ts': thing,
        'trading/unit/unit.route.ts': uses('@tallystick/wire'),
        'trading/cellar/index.ts': thing,
        'lending/loans/odd.checks.ts': thing,
        'lending/loans/loans.route.ts': uses('@tallystick/wire'),
        'lending/cellar/index.ts': thing,
        ...orderedTargets,
        ...Object.fromEntries(
          Object.entries(orders)
            .flatMap(([feature, folders]) => folders.map((folder) => `${feature}/${folder}/index.ts`))
            .filter((face) => !(`apps/server/src/${face}` in allowed))
            .map((face) => [face, thing]),
        ),
      }),
      ...Object.fromEntries(places.map(([, at, text]) => [at, text])),
    })
    const { passed, output } = await checkBorders(root)
    expect(passed).toBe(false)
    for (const [rule, at] of places) expect(output).toMatch(new RegExp(`error ${rule}: ${at.replaceAll('.', '[.]')}`))
  })
})
