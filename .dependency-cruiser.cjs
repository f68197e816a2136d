// The borders between packages, features and layers. `tools/src/checks/borders.test.ts` proves each rule by breaking it.
const TEST = '\\.test\\.ts$'
const FEATURE = '^apps/server/src/(?!platform/)([^/]+)/'
const OWN = '^apps/server/src/$1/'
const OWN_RULES = `${OWN}.+[.]rules[.]ts$`
// The ABIs and kinds of the contracts that a feature deals with.
const OWN_CONTRACTS = `${OWN}contracts[.]ts$`
const OWN_SERVICES = `${OWN}.+[.]service[.]ts$`
const OWN_SHAPES = `${OWN}.+[.](store|reads|call)[.]ts$`
/** Features whose files are named by their layers, or by none. */
const NAMED = '^apps/server/src/(?!platform/)[^/]+/'
const SUFFIXES = ['rules', 'call', 'reads', 'store', 'writes?', 'service', 'route', 'job']
const PLATFORM = '^apps/server/src/platform/'
/** Addresses and other values, in the one form that the product keeps them in. */
const VALUES = `${PLATFORM}values/`
/** The codes of refusals, of which a rule takes the types: it refuses with what it is handed. */
const CODES = `${PLATFORM}app-error[.]ts$`
const WIRE = '^packages/wire/'
const ABI = '^packages/abi/'
const ENGINE = '^packages/engine/'
const VIEM = 'node_modules/(viem|abitype)/'
const OURS = '^(packages|apps|bench|tools|e2e|contracts)/'

const filesOf = (suffix) => `${FEATURE}.*[^/]+[.]${suffix}[.]ts$`
const platform = (area) => `${PLATFORM}${area}([./]|$)`

/** A layer is a list of what its files may import; everything else is a violation. */
const layer = (suffix, says, mayImport) => ({
  name: `layer-${suffix}`,
  comment: `*.${suffix}.ts imports ${says}`,
  severity: 'error',
  from: { path: filesOf(suffix) },
  to: { pathNot: mayImport },
})

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const packages = [
  forbid(
    'wire-alone',
    'packages/wire imports typebox and nothing else',
    { path: '^packages/wire/', pathNot: TEST },
    { pathNot: [WIRE, 'node_modules/typebox/'] },
  ),
  forbid('abi-alone', 'packages/abi imports nothing', { path: ABI, pathNot: TEST }, { pathNot: ABI }),
  forbid(
    'engine-alone',
    'packages/engine is pure: it imports only itself, and node:crypto for its hashes',
    { path: ENGINE, pathNot: TEST },
    { pathNot: [ENGINE, '^(node:)?crypto$'] },
  ),
  forbid(
    'embedded-alone',
    'packages/embedded imports no other package of ours',
    { path: '^packages/embedded/', pathNot: TEST },
    { path: OURS, pathNot: '^packages/embedded/' },
  ),
  forbid(
    'sdk-alone',
    'packages/sdk is published alone: it imports viem, its peer, and nothing else',
    { path: '^packages/sdk/', pathNot: TEST },
    { pathNot: ['^packages/sdk/', VIEM] },
  ),
  forbid(
    'testkit-borders',
    'packages/testkit imports abi, deployer and embedded, nothing else of ours',
    { path: '^packages/testkit/' },
    { path: OURS, pathNot: ['^packages/testkit/', ABI, '^packages/(deployer|embedded)/'] },
  ),
  forbid(
    'deployer-borders',
    'packages/deployer imports abi, nothing else of ours',
    { path: '^packages/deployer/', pathNot: TEST },
    { path: OURS, pathNot: ['^packages/deployer/', ABI] },
  ),
  forbid(
    'testkit-only-in-tests',
    'packages/testkit is for *.test.ts, apps/server/test, the lending model, bench and e2e',
    { pathNot: [TEST, '^packages/(testkit|lending-model)/', '^apps/server/test/', '^bench/', '^e2e/'] },
    { path: '^packages/testkit/' },
  ),
  forbid(
    'console-borders',
    'apps/console reaches the service through the SDK, and knows nothing else of ours',
    { path: '^apps/console/src/', pathNot: TEST },
    { path: OURS, pathNot: ['^apps/console/', '^packages/sdk/'] },
  ),
  forbid('packages-below-apps', 'a package never imports an app', { path: '^packages/' }, { path: '^apps/' }),
  forbid(
    'package-face',
    'another package is imported by its name, through what its package.json exports (tests too)',
    { path: '^((?:packages|apps)/[^/]+|bench|tools|e2e)/' },
    { path: '^packages/', pathNot: '^$1/', dependencyTypes: ['local'] },
  ),
  forbid(
    'app-face',
    'an app imports another one by its name, through what its package.json exports (tests too)',
    { path: '^(apps/[^/]+)/' },
    { path: '^apps/', pathNot: '^$1/', dependencyTypes: ['local'] },
  ),
  forbid(
    'apps-above-server',
    'the server imports no other app, and an app imports no other one but the server',
    { path: '^(apps/[^/]+)/', pathNot: [TEST, '^apps/[^/]+/test/'] },
    { path: '^apps/', pathNot: ['^$1/', '^apps/server/'] },
  ),
]

const features = [
  forbid(
    'platform-knows-no-feature',
    'apps/server/src/platform imports platform, wire, abi and npm packages',
    { path: PLATFORM, pathNot: TEST },
    { path: OURS, pathNot: [PLATFORM, WIRE, ABI] },
  ),
  forbid(
    'feature-face',
    'a feature is imported by another one only through its index.ts (tests too)',
    { path: FEATURE },
    { path: '^apps/server/src/[^/]+/', pathNot: [PLATFORM, OWN, '^apps/server/src/[^/]+/index[.]ts$'] },
  ),
  forbid(
    'feature-below-app',
    'app.ts and main.*.ts import the features, never the reverse',
    { path: FEATURE, pathNot: TEST },
    { path: '^apps/server/src/[^/]+$' },
  ),
  forbid(
    'feature-index',
    "a feature's index.ts imports its own feature, and nothing else but types",
    { path: `${FEATURE}index[.]ts$` },
    { pathNot: OWN, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'own-face',
    "a feature's index.ts is for others: its own files do not import it, not even types",
    { path: FEATURE, pathNot: TEST },
    { path: `${OWN}index[.]ts$` },
  ),
]

const FACE = 'index([.]rules)?[.]ts$'

/**
 * A feature whose folders have an order, from the ground up: each knows those before it, and none behind it, and enters them through their
 * faces. `ground`: what the files of the feature itself may know; `above`: those of them that stand above the first folder.
 */
function ordered(feature, folders, { ground, above }) {
  const FEATURE_ROOT = `^apps/server/src/${feature}/`
  return [
    forbid(
      `${feature}-face`,
      `a folder of ${feature} is entered through its index.ts, or through its index.rules.ts, which is pure (tests too)`,
      { path: `${FEATURE_ROOT}([^/]+)` },
      { path: `${FEATURE_ROOT}[^/]+/`, pathNot: [`${FEATURE_ROOT}$1/`, `${FEATURE_ROOT}[^/]+/${FACE}`] },
    ),
    forbid(
      `${feature}-own-face`,
      'the face of a folder is for others: its own files do not import it, not even types',
      { path: `${FEATURE_ROOT}([^/]+)/`, pathNot: TEST },
      { path: `${FEATURE_ROOT}$1/${FACE}` },
    ),
    forbid(
      `${feature}-pieces`,
      `a file of ${feature} without a suffix stands below the services of its folder: of them it takes only types`,
      { path: `${FEATURE_ROOT}([^/]+)/[^/.]+[.]ts$`, pathNot: '/index[.]ts$' },
      { path: `${FEATURE_ROOT}$1/.+[.]service[.]ts$`, dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      `${feature}-folders`,
      `every folder of ${feature} has its place in the order`,
      {},
      { path: `${FEATURE_ROOT}(?!(${folders.join('|')})/)[^/]+/` },
    ),
    forbid(
      `${feature}-ground`,
      `beside index.ts, the files of ${feature} itself know ${ground ? `no folder but the face of ${ground}` : 'no folder'}`,
      { path: `${FEATURE_ROOT}[^/]+[.]ts$`, pathNot: [`${FEATURE_ROOT}index[.]ts$`, TEST] },
      { path: `${FEATURE_ROOT}[^/]+/`, ...(ground ? { pathNot: `${FEATURE_ROOT}${ground}/${FACE}` } : {}) },
    ),
    ...folders.slice(0, -1).map((folder, at) =>
      forbid(
        `${feature}-order-${folder}`,
        `${feature}/${folder} knows no folder above it, not even its types`,
        { path: `${FEATURE_ROOT}${folder}/`, pathNot: TEST },
        {
          path: [
            `${FEATURE_ROOT}(${folders.slice(at + 1).join('|')})/`,
            ...(at === 0 && above ? [`${FEATURE_ROOT}${above}$`] : []),
          ],
        },
      ),
    ),
  ]
}

const TRADING_FOLDERS = [
  ...['unit', 'books', 'references', 'accounts', 'ledger', 'reads', 'offchain-books', 'orders'],
  ...['signed', 'auctions', 'settlements', 'custody-setup', 'agreed', 'rfq', 'streams', 'archive'],
]
const LENDING_FOLDERS = [
  ...['reverts', 'core', 'asset-data', 'market', 'registers', 'oracle', 'rates', 'upgrades', 'setup', 'terms'],
  ...['curator', 'extensions', 'fees', 'insurance', 'liquidity', 'vaults', 'loans', 'repayment', 'escrow'],
  ...['watch', 'figures', 'positions', 'router', 'auctions', 'liquidations'],
]

const folders = [
  ...ordered('trading', TRADING_FOLDERS, { ground: 'unit', above: 'parts[.]ts' }),
  ...ordered('lending', LENDING_FOLDERS, {}),
  ...ordered('identity', ['values', 'register', 'identities', 'claims', 'proofs', 'investors'], {}),
  ...ordered('stocks', ['records', 'writes', 'deploy', 'fetch'], {}),
]

const layers = [
  layer(
    'rules',
    'wire, engine, pure npm packages, rules of its own feature and of the platform, and types of its own shapes',
    [
      WIRE,
      ENGINE,
      VIEM,
      'node_modules/canonicalize/',
      OWN_RULES,
      OWN_SHAPES,
      `${PLATFORM}.*[.]rules[.]ts$`,
      CODES,
      '^(node:)?(crypto|buffer)$',
    ],
  ),
  forbid(
    'layer-rules-types',
    '*.rules.ts is pure: of what is stored, read and called it takes only the types',
    { path: filesOf('rules') },
    { path: [OWN_SHAPES, CODES], dependencyTypesNot: ['type-only'] },
  ),
  layer('call', 'abi, wire, viem, own rules and contracts, and the pure part of platform/chain', [
    ABI,
    WIRE,
    VIEM,
    OWN_RULES,
    OWN_CONTRACTS,
    platform('chain'),
  ]),
  forbid(
    'layer-call-types',
    '*.call.ts is pure: beside contract-call it takes only types from platform/chain',
    { path: filesOf('call') },
    { path: platform('chain'), pathNot: `${PLATFORM}chain/contract-call[.]ts$`, dependencyTypesNot: ['type-only'] },
  ),
  layer('reads', 'platform/chain and values, abi, wire, viem, own rules and contracts, and types of its own store', [
    platform('chain'),
    VALUES,
    ABI,
    WIRE,
    VIEM,
    OWN_RULES,
    OWN_CONTRACTS,
    `${OWN}.+[.]store[.]ts$`,
  ]),
  forbid(
    'layer-reads-types',
    '*.reads.ts asks the chain, never the database: of its own store it takes only types',
    { path: filesOf('reads') },
    { path: `${OWN}.+[.]store[.]ts$`, dependencyTypesNot: ['type-only'] },
  ),
  layer('store', 'platform/db, platform/ids, wire, own rules, and types of viem and platform/chain', [
    platform('db'),
    platform('ids'),
    WIRE,
    OWN_RULES,
    VIEM,
    platform('chain'),
  ]),
  forbid(
    'layer-store-types',
    '*.store.ts never reads a chain: it takes only types from viem and platform/chain',
    { path: filesOf('store') },
    { path: [VIEM, platform('chain')], dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'layer-service',
    '*.service.ts imports no route',
    { path: filesOf('service') },
    { path: '^apps/server/src/.+[.]route[.]ts$' },
  ),
  layer('route', 'wire, platform/http and types of its own services', [WIRE, platform('http'), OWN_SERVICES]),
  forbid(
    'layer-route-types',
    '*.route.ts is handed its service: it imports only the type',
    { path: filesOf('route') },
    { path: OWN_SERVICES, dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'layer-write',
    '*.write.ts (one) and *.writes.ts (a family) say what is called, what decides and what is proven: of routes, jobs and other writes it knows nothing',
    { path: filesOf('writes?') },
    { path: '^apps/server/src/.+[.](route|job|writes?)[.]ts$' },
  ),
  forbid(
    'layer-write-types',
    '*.write.ts reads the chain, never the database: of stores it takes only types',
    { path: filesOf('writes?') },
    { path: '^apps/server/src/.+[.]store[.]ts$', dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'layer-plain',
    'a file without a suffix is a piece that services share: it imports no route and no job',
    { path: [`${NAMED}[^/.]+[.]ts$`, `${NAMED}.*/[^/.]+[.]ts$`], pathNot: '/index[.]ts$' },
    { path: '^apps/server/src/.+[.](route|job)[.]ts$' },
  ),
  forbid(
    'layer-name',
    'the suffix of a file is a layer that has a rule here',
    {},
    { path: NAMED, pathNot: [TEST, '/[^/.]+[.]ts$', `/[^/.]+[.](${SUFFIXES.join('|')})[.]ts$`] },
  ),
  layer('job', 'its own service and platform', [OWN_SERVICES, PLATFORM]),
]

const PRODUCTION = ['^apps/[^/]+/(src|bin)/', '^packages/(?!testkit/)[^/]+/src/']

const hygiene = [
  forbid(
    'no-cycle',
    'modules that need each other at run time are one module; type-only cycles are fine',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  ),
  forbid(
    'no-dev-dependency',
    'production code imports no dev dependency',
    { path: PRODUCTION, pathNot: TEST },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional'] },
  ),
  forbid(
    'no-undeclared-dependency',
    'production code imports only what its own package.json lists',
    { path: PRODUCTION, pathNot: TEST },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid(
    'no-test-code',
    'production code imports no test',
    { path: PRODUCTION, pathNot: TEST },
    {
      path: [TEST, '^(apps|packages)/[^/]+/test/'],
    },
  ),
  forbid('no-unresolvable', 'every import can be found', {}, { couldNotResolve: true }),
  forbid(
    'no-orphan',
    'a module that imports nothing and that nobody imports is dead',
    {
      orphan: true,
      pathNot: [
        TEST,
        '^(packages|apps)/[^/]+/src/index[.]ts$',
        '^apps/[^/]+/src/main[.]',
        '^apps/[^/]+/bin/',
        // Served to browsers as it is.
        '^apps/server/src/docs-site/browser/',
        '^(tools|bench)/src/[^/]+$',
        '[.]d[.]ts$',
      ],
    },
    {},
  ),
]

module.exports = {
  forbidden: [...packages, ...features, ...folders, ...layers, ...hygiene],
  options: {
    // What no rule asks for takes a fifth of the time.
    skipAnalysisNotInRules: true,
    doNotFollow: { path: 'node_modules' },
    // What a build of the console made.
    exclude: { path: '^apps/console/dist' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
