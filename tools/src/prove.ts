import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { repositoryRoot } from './support/repository.ts'

// Proves the properties in contracts/proofs with the SMT solver inside the npm Solidity compiler (Z3).
//   tsx tools/src/prove.ts            every property, every false one, every mutant
//   tsx tools/src/prove.ts SHR INT-0  only the ids that start so
//   tsx tools/src/prove.ts --jobs=4   four at a time
//   tsx tools/src/prove.ts --write    and writes contracts/proofs/PROPERTIES.md

type Outcome = 'proved' | 'refuted' | 'vacuous' | 'unknown'
type Property = {
  id: string
  statement: string
  file: string
  text: string
  targets: string[]
  from: string[]
  /** Asks for the solver's own division instead of a quotient and a rest; some proofs are only found so. */
  hasNativeDivision: boolean
  expected: Outcome
}
type Mutant = { library: string; from: string; to: string; breaks: string }
type Tested = { id: string; library: string; statement: string; test: string }
type Finding = { outcome: Outcome; seconds: number; detail: string }
type Sources = Record<string, { content: string }>
type CompilerMessage = { message: string; formattedMessage: string; sourceLocation?: { start: number } }

/** Of the processor, so that a busy machine decides the same; the clock is the second line of defence. */
const CPU_LIMIT_SECONDS = 60
const CLOCK_LIMIT_MS = 600_000
const SOLVER = 'Z3 in solc 0.8.30, BMC'
const contractsFolder = join(repositoryRoot, 'contracts')
const proofsFolder = join(contractsFolder, 'proofs')
const tableFile = join(proofsFolder, 'PROPERTIES.md')
const DOCUMENTED_FUNCTION = /(?:^ {4}\/\/\/.*\n)+^ {4}function [\s\S]*?^ {4}}\n/gm
const REACHED = 'assert(false);'

const readProofsJson = <T>(name: string): T => JSON.parse(readFileSync(join(proofsFolder, name), 'utf8')) as T

const propertyTexts = (text: string): string[] =>
  [...text.matchAll(DOCUMENTED_FUNCTION)].map(([found]) => found).filter((found) => found.includes('@custom:property'))

const tagged = (text: string, tag: string): string | undefined =>
  new RegExp(`@custom:${tag} ([^\\n]+(?:\\n {4}/// (?!@)[^\\n]+)*)`).exec(text)?.[1]?.replace(/\n {4}\/\/\/ /g, ' ')

function readProperties(): Property[] {
  const files = readdirSync(proofsFolder).filter((name) => name.endsWith('Proofs.sol'))
  return files.sort().flatMap((file) =>
    propertyTexts(readFileSync(join(proofsFolder, file), 'utf8')).map((text) => {
      const [id = '', ...words] = (tagged(text, 'property') ?? '').split(' ')
      const expected = (tagged(text, 'expect') ?? 'proved') as Outcome
      const listed = (tag: string) => tagged(text, tag)?.split(' ') ?? []
      return {
        id,
        statement: words.join(' '),
        file,
        text,
        targets: listed('targets'),
        from: listed('from'),
        hasNativeDivision: tagged(text, 'division') === 'native',
        expected,
      }
    }),
  )
}

/** The file and everything that it imports, by paths relative to the contracts. */
function readSources(path: string, sources: Sources = {}): Sources {
  const content = readFileSync(join(contractsFolder, path), 'utf8')
  sources[path] = { content }
  for (const [, name = ''] of content.matchAll(/from "(\.[^"]+)"/g)) {
    const imported = posix.join(posix.dirname(path), name)
    if (sources[imported] === undefined) readSources(imported, sources)
  }
  return sources
}

/** A fact may be assumed after an assert only when it was asserted itself: then it is a lemma, not an assumption. */
function assumedWithoutProof(text: string): string | undefined {
  const statements = [...text.matchAll(/\b(assert|require)\(([\s\S]*?)\);/g)].map(([, kind, fact = '']) => ({
    kind,
    fact: fact.replace(/\s+/g, ' ').trim(),
  }))
  const firstAssert = statements.findIndex(({ kind }) => kind === 'assert')
  if (firstAssert < 0) return undefined
  const asserted = new Set(statements.filter(({ kind }) => kind === 'assert').map(({ fact }) => fact))
  return statements.slice(firstAssert).find(({ kind, fact }) => kind === 'require' && !asserted.has(fact))?.fact
}

/** Runs one property alone, with an assertion at its end that has to fail: otherwise its bounds exclude everything. */
async function check(property: Property, mutant?: Mutant): Promise<Finding> {
  const path = `proofs/${property.file}`
  const sources = readSources(path)
  const whole = sources[path]?.content ?? ''
  const others = propertyTexts(whole).filter((text) => text !== property.text)
  const alone = others.reduce((text, other) => text.replace(other, () => ''), whole)
  const ended = property.text.replace(/ {4}}\n$/, () => `        ${REACHED}\n    }\n`)
  const content = alone.replace(property.text, () => ended)
  sources[path] = { content }
  if (mutant !== undefined) mutate(sources, mutant)
  const { messages, seconds } = await compile(sources, path, property)
  if (typeof messages === 'string') return { outcome: 'unknown', seconds, detail: messages }
  // Characters before the marker are ASCII, so offsets in bytes and in characters are the same.
  return { seconds, ...judge(messages, content.indexOf(REACHED), property) }
}

function mutate(sources: Sources, { library, from, to }: Mutant): void {
  const path = Object.keys(sources).find((name) => name.endsWith(`/${library}.sol`)) ?? ''
  const original = sources[path]?.content ?? ''
  if (original.split(from).length !== 2) throw new Error(`${library}: "${from}" is not there exactly once`)
  sources[path] = { content: original.replace(from, () => to) }
}

type Compiled = { messages: CompilerMessage[] | string; seconds: number }

function compile(sources: Sources, path: string, property: Property): Promise<Compiled> {
  const modelChecker = {
    engine: 'bmc',
    solvers: ['z3'],
    targets: ['assert', ...property.targets],
    divModNoSlacks: property.hasNativeDivision,
    contracts: { [path]: [posix.basename(path, '.sol')] },
    showProvedSafe: true,
    showUnproved: true,
  }
  const input = JSON.stringify({ language: 'Solidity', sources, settings: { modelChecker, outputSelection: {} } })
  const command = `ulimit -t ${CPU_LIMIT_SECONDS}; "$0" solc.cjs --standard-json; times >&2`
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command, process.execPath], {
      cwd: contractsFolder,
      timeout: CLOCK_LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    const output: Buffer[] = []
    const notes: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => notes.push(chunk))
    // A compiler that was killed before it read its input breaks the pipe; its missing answer says enough.
    child.stdin.on('error', () => {})
    child.on('error', (error) => resolve({ messages: error.message, seconds: 0 }))
    child.on('close', () => resolve(readAnswer(Buffer.concat(output).toString(), Buffer.concat(notes).toString())))
    child.stdin.end(input)
  })
}

function readAnswer(output: string, notes: string): Compiled {
  // The last line of `times` is the user and system time of the compiler.
  const spent = [...(notes.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const seconds = spent.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  if (output === '') return { messages: `No answer within the limits: ${notes.trim()}`, seconds }
  return { messages: (JSON.parse(output) as { errors?: CompilerMessage[] }).errors ?? [], seconds }
}

function judge(messages: CompilerMessage[], reachedAt: number, property: Property): Omit<Finding, 'seconds'> {
  const broken = messages.find(({ formattedMessage }) => /^\w*Error/.test(formattedMessage))
  if (broken !== undefined) return { outcome: 'unknown', detail: broken.formattedMessage }
  const solved = messages.filter(({ message }) => message.startsWith('BMC: '))
  const isEnd = ({ sourceLocation }: CompilerMessage) => sourceLocation?.start === reachedAt
  const conditions = solved.filter((message) => !isEnd(message))
  const failed = conditions.find(({ message }) => message.includes('happens here'))
  if (failed !== undefined) return { outcome: 'refuted', detail: failed.formattedMessage }
  const safe = conditions.filter(({ message }) => message.includes('check is safe')).length
  const asserted = property.text.match(/\bassert\(/g)?.length ?? 0
  const isComplete = property.targets.length === 0 ? safe === asserted : safe > 0
  if (safe !== conditions.length || !isComplete) {
    return { outcome: 'unknown', detail: conditions.map(({ message }) => message).join('\n') }
  }
  const end = solved.find(isEnd)?.message ?? ''
  if (end.includes('check is safe')) return { outcome: 'vacuous', detail: 'No input satisfies the bounds.' }
  return end.includes('happens here')
    ? { outcome: 'proved', detail: '' }
    : { outcome: 'unknown', detail: 'It is not known whether an input satisfies the bounds.' }
}

/** A property that stands on others says so, and falls with them. */
const statusOf = (outcome: Outcome, { from }: Property) =>
  outcome === 'proved' && from.length > 0 ? `proved from ${from.join(' and ')}` : outcome

const libraryOf = ({ file }: Property) => file.replace('Proofs.sol', '')

function row(id: string, library: string, statement: string, status: string, solver: string, seconds: string): string {
  return `| ${id} | ${library} | ${statement} | ${status} | ${solver} | ${seconds} |`
}

function isFoundInTests(test: string): boolean {
  const folder = join(contractsFolder, 'test')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.t.sol'))
  return files.some((name) => readFileSync(join(folder, name), 'utf8').includes(`function ${test}(`))
}

/** Results come in the order of the items. */
async function inTurns<Item, Result>(items: Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const takeTurns = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await run(items[at] as Item)
  }
  await Promise.all(Array.from({ length: jobs }, takeTurns))
  return results
}

const jobs = Number(process.argv.find((argument) => argument.startsWith('--jobs='))?.slice('--jobs='.length) ?? 1)
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isChosen = (id: string) => chosen.length === 0 || chosen.some((prefix) => id.startsWith(prefix))
const properties = readProperties()
const rows: string[] = []
const failures: string[] = []
let proved = 0
let refuted = 0
let seconds = 0

const selected = properties.filter(({ id }) => isChosen(id))
const findings = await inTurns(selected, async (property) => {
  const finding = await check(property)
  const status = statusOf(finding.outcome, property)
  const time = `${finding.seconds.toFixed(1)} s`
  const line = row(property.id, libraryOf(property), property.statement, status, SOLVER, time)
  console.log(line)
  return { property, line, ...finding }
})

for (const { property, line, outcome, detail, seconds: spent } of findings) {
  seconds += spent
  const assumed = assumedWithoutProof(property.text)
  if (assumed !== undefined) failures.push(`${property.id}: assumes after an assert what it did not assert: ${assumed}`)
  if (outcome !== property.expected) failures.push(`${property.id}: ${outcome}, not ${property.expected}\n${detail}`)
  else if (property.expected === 'proved') {
    proved += 1
    rows.push(line)
  } else refuted += 1
}

const provable = new Set(properties.filter(({ expected }) => expected === 'proved').map(({ id }) => id))
for (const { id, from } of properties) {
  for (const base of from.filter((name) => !provable.has(name)))
    failures.push(`${id}: stands on ${base}, which is not there`)
}

const ids = properties.map(({ id }) => id)
for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
  failures.push(`${id}: names two properties`)

let killed = 0
const mutants = readProofsJson<Mutant[]>('mutants.json').filter(({ breaks }) => isChosen(breaks))
await inTurns(mutants, async (mutant) => {
  const property = properties.find(({ id }) => id === mutant.breaks)
  if (property === undefined) throw new Error(`${mutant.breaks} is no property`)
  const { outcome, seconds: spent } = await check(property, mutant)
  seconds += spent
  console.log(`mutant of ${mutant.library}: "${mutant.from}" -> "${mutant.to}": ${mutant.breaks} ${outcome}`)
  if (outcome === 'refuted') killed += 1
  else failures.push(`${mutant.breaks}: ${outcome}, although ${mutant.library} says "${mutant.to}"`)
})

const tested = readProofsJson<Tested[]>('tested.json').filter(({ id }) => isChosen(id))
for (const { id, library, statement, test } of tested) {
  rows.push(row(id, library, statement, 'fuzzed', `forge: ${test}`, ''))
  if (!isFoundInTests(test)) failures.push(`${id}: there is no test ${test}`)
}

const counts = `${proved} proved, ${tested.length} fuzzed, 0 assumed`
const HEADING = '| id | library | statement | status | solver | time |\n|---|---|---|---|---|---|'
const MARKER = '<!-- generated by tools/src/prove.ts -->\n'
const [introduction = '', generated = ''] = readFileSync(tableFile, 'utf8').split(MARKER)
const idOf = (line: string) => /^\| (\w+-\d+) /.exec(line)?.[1]
const known = new Set([...provable, ...readProofsJson<Tested[]>('tested.json').map(({ id }) => id)])
const kept = generated.split('\n').filter((line) => {
  const id = idOf(line)
  return id !== undefined && known.has(id) && !rows.some((row) => idOf(row) === id)
})
if (process.argv.includes('--write')) {
  const listed = [...kept, ...rows].sort((a, b) => (a < b ? -1 : 1))
  writeFileSync(
    tableFile,
    `${introduction}${MARKER}\n${listed.length} properties.\n\n${HEADING}\n${listed.join('\n')}\n`,
  )
} else {
  const isListed = ({ id, statement }: Property) =>
    generated.includes(`| ${id} |`) && generated.includes(`| ${statement} |`)
  const unlisted = selected.filter((property) => property.expected === 'proved' && !isListed(property))
  failures.push(...unlisted.map(({ id }) => `${id}: PROPERTIES.md does not say so; run with --write`))
}

console.log(
  `\n${counts}; ${refuted} false ones rejected, ${killed} mutants found; ${Math.round(seconds)} s of one core`,
)
// A proof that no change can break may say nothing.
const broken = new Set(readProofsJson<Mutant[]>('mutants.json').map(({ breaks }) => breaks))
const unbroken = [...provable].filter((id) => isChosen(id) && !broken.has(id))
failures.push(...unbroken.map((id) => `${id}: no mutant breaks it`))
if (failures.length > 0) console.error(`\n${failures.join('\n')}\n${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
