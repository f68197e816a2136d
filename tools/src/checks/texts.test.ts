import { afterEach, describe, expect, it } from 'vitest'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import { namedPaths } from './readme-rules.ts'
import { checkTexts } from './texts.ts'

const lines = (count: number) => 'line\n'.repeat(count)
// Put together here so that the check does not find them in this file.
const OPEN_END = ['TO', 'DO'].join('')
const OUTSIDE = ['..', 'shared'].join('/')
const focused = (kind: string) => `it${'.'}${kind}('works', () => {})`

describe('texts', () => {
  let tree: TemporaryTree | undefined
  afterEach(() => tree?.remove())

  const check = (files: Record<string, string>) => {
    tree?.remove()
    tree = writeTemporaryTree(files)
    return checkTexts(tree.root)
  }
  const findings = (files: Record<string, string>) => check(files).output.split('\n').filter(Boolean)

  it('accept a tidy tree', () => {
    const result = check({
      'README.md': 'See `apps/server/README.md`, `./LICENSE` and `npm start`.\n',
      LICENSE: '',
      'apps/server/package.json': '{}',
      'apps/server/README.md': 'Starts in `src/main.api.ts:1`; features: `src/stocks/`.\n',
      'apps/server/src/main.api.ts': 'const port = process.env.PORT\n',
      'apps/demo/src/main.ts': 'const folder = process.env.DATA_DIR\n',
      'apps/server/src/platform/README.md': 'Knows no feature.\n',
      'apps/server/src/platform/config.ts': 'const url = process.env.URL\n',
      'apps/server/src/stocks/README.md': 'Equity tokens.\n',
      'apps/server/src/stocks/stocks.store.test.ts': `${focused('each')}\nprocess.env.TZ = 'UTC' // ${OPEN_END}(#12)\n`,
      'node_modules/x/README.md': '`gone/away.ts`',
    })
    expect(result).toEqual({ passed: true, output: '', notes: [] })
  })

  it('take only paths from a README, not commands, addresses, patterns or places made at run time', () => {
    const text = [
      '`src/a.ts` `b.sql` `./c/` `docs/d.md:12`',
      '`npm run x/y` `https://a.b/c` `src/*.ts` `src/<name>.ts` `/healthz` `$HOME/x` `var/log` `node_modules/x`',
      '`@tallystick/wire` `application/json` `--flag=a/b` `packages/{abi,wire}` `a/.../b` `word` `~/x`',
      '```',
      '`in/a/block.ts`',
      '```',
    ].join('\n')
    expect(namedPaths(text)).toEqual(['src/a.ts', 'b.sql', './c/', 'docs/d.md'])
  })

  it('find a README that names what is not there', () => {
    expect(findings({ 'README.md': '`tools/src/gone.ts`, `old.sql`\n' })).toEqual([
      'README.md: names tools/src/gone.ts, which does not exist',
      'README.md: names old.sql, which does not exist',
    ])
  })

  it('find READMEs that are too long', () => {
    const readmes = { 'README.md': lines(79), 'packages/wire/src/README.md': lines(40) }
    expect(findings(readmes)).toEqual([])
    expect(findings({ 'README.md': lines(80), 'packages/wire/src/README.md': lines(41) })).toEqual([
      'README.md: 80 lines, at most 79 allowed',
      'packages/wire/src/README.md: 41 lines, at most 40 allowed',
    ])
  })

  it('find workspaces and server folders without a README', () => {
    const files = {
      'packages/wire/package.json': '{}',
      'tools/package.json': '{}',
      'apps/server/src/rfq/rfq.rules.ts': '',
    }
    expect(findings(files)).toEqual([
      'apps/server/src/rfq: has no README.md',
      'packages/wire: has no README.md',
      'tools: has no README.md',
    ])
  })

  it('find rooms of the server that the plan of the house lacks, and rows and paths of it that are nowhere', () => {
    const rooms = {
      'apps/server/src/rfq/README.md': '',
      'apps/server/src/stocks/README.md': '',
      'docs/architecture.md':
        '| `rfq` | quotes |\n| `cellar` | dark |\n\n`apps/server/src/rfq` and `apps/server/src/attic/a.ts`\n',
    }
    expect(findings(rooms)).toEqual([
      'docs/architecture.md: names apps/server/src/attic/a.ts, which does not exist',
      'docs/architecture.md: has no row for apps/server/src/stocks',
      'docs/architecture.md: has a row for cellar, which is no folder of the server',
    ])
  })

  it('find open ends without a number', () => {
    const [first, ...rest] = findings({ 'contracts/src/A.sol': `// fine\n// ${OPEN_END}: later\n// ${OPEN_END} #7\n` })
    expect(first).toMatch(/^contracts\/src\/A\.sol:2: an open end/)
    expect(rest).toEqual([])
  })

  it.each(['only', 'skip', 'todo'])('find a test with %s, but not the word elsewhere', (kind) => {
    const text = `${focused(kind)}\n`
    expect(findings({ 'packages/wire/src/a.test.ts': text })).toHaveLength(1)
    expect(findings({ 'packages/wire/src/a.ts': text })).toEqual([])
  })

  it('find a role that is written as one person, where readers are', () => {
    const text = 'The borrower signs with h' + 'is wallet.'
    expect(findings({ 'docs/a.md': text })).toEqual([expect.stringMatching(/^docs\/a\.md:1: a role is nobody/)])
    expect(findings({ 'packages/wire/src/a.test.ts': text, 'docs/b.md': 'The chemist, this, there.' })).toEqual([])
  })

  it('find mentions of folders outside the repository', () => {
    expect(findings({ 'docs/a.md': `see ${OUTSIDE}/design and ${'shared'}/spec` })).toHaveLength(1)
    expect(findings({ 'docs/a.md': 'state that two replicas share; src/lib/shared/a.ts' })).toEqual([])
  })

  it.each([
    'apps/server/src/stocks/stocks.service.ts',
    'apps/server/src/platform/http/http.ts',
    'packages/wire/src/a.ts',
  ])('find the environment read in %s', (path) => {
    const readme = {
      [`${path.slice(0, path.lastIndexOf('/'))}/README.md`]: '',
      'apps/server/src/platform/README.md': '',
    }
    const found = findings({ ...readme, [path]: 'const a = 1\nconst b = process.env.HOME\n' })
    expect(found).toEqual([expect.stringContaining(`${path}:2: only the mains of apps`)])
  })

  it('find an accessor where objects are made for every request, and nowhere else', () => {
    const text = 'const turn = {\n  get money() {\n    return 1\n  },\n  get: (id) => id,\n}\n'
    const readmes = Object.fromEntries(
      ['trading', 'platform', 'platform/db'].map((folder) => [`apps/server/src/${folder}/README.md`, '']),
    )
    expect(findings({ ...readmes, 'apps/server/src/trading/turn.ts': text })).toEqual([
      expect.stringContaining('apps/server/src/trading/turn.ts:2: an object made with accessors'),
    ])
    expect(findings({ ...readmes, 'apps/server/src/platform/db/database.ts': text })).toEqual([])
  })

  it('note a long source without failing, and leave generated and test code alone', () => {
    const result = check({
      'packages/wire/src/long.ts': lines(401),
      'packages/abi/src/generated.ts': lines(9000),
      'contracts/test/Long.t.sol': lines(500),
    })
    expect(result.passed).toBe(true)
    expect(result.notes).toEqual([expect.stringContaining('packages/wire/src/long.ts: 401 lines')])
  })
})
