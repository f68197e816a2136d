import type { Proof, Row } from './row.ts'

/** In the order of the page: the part of an id before the slash, and what it is about. */
const SECTIONS: readonly (readonly [prefix: string, title: string])[] = [
  ['1', 'Conventions'],
  ['2.import', 'Import record'],
  ['2.bundle', 'Asset data bundle'],
  ['2.rfq', 'Request for quote'],
  ['2.quote', 'Quote'],
  ['2.trade', 'Trade'],
  ['2.book', 'Order book'],
  ['2.day', 'Daily statistics entry'],
  ['2.price', 'Price history'],
  ['2.register', 'Register entry'],
  ['3', 'States'],
  ['4.1', 'List imports'],
  ['4.2', 'Propose extension'],
  ['4.3', 'Remove sub-issuer'],
  ['4.4', 'Attest asset data'],
  ['4.5', 'Sweep infrastructure fees'],
  ['4.6', 'Get request for quote'],
  ['4.7', 'Withdraw collateral for sale'],
  ['4.8', 'Search the register'],
  ['4.9', 'Order book trades'],
  ['4.10', 'Auction module'],
  ['4.11', 'Daily statistics by token'],
  ['4.12', 'Setup steps'],
  ['4.13', 'Claim escrowed collateral'],
  ['4.14', 'Borrow more'],
  ['4.15', 'List off-chain order books'],
  ['4.16', 'Liquidation config'],
  ['4.17', 'Revoke claim'],
  ['4.18', 'Revoke proof'],
  ['4.19', 'Price history'],
  ['4.20', 'Upgrade market'],
  ['4.related', 'Related endpoints'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versions'],
]

const cell = (text: string) => text.replaceAll('|', '\\|')
const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function proofCell(proof: Proof): string {
  if (proof.kind === 'test') return `${fileName(proof.file)}: ${proof.name}`
  if (proof.kind === 'field') return `${proof.operation} (${proof.leg}) answers ${proof.field}: ${proof.types}`
  const extra = proof.extra.length > 0 ? ` with ${proof.extra.join(', ')}` : ''
  return `${proof.operation} (${proof.leg}) was made to answer it${extra}`
}

const line = ({ id, says, proofs }: Row) =>
  `| ${id} | ${cell(says)} | ${cell(proofs.map(proofCell).join('; ')) || '**nothing yet**'} |`

export const sectionOf = ({ id }: Row): string => id.split('/')[0] ?? id

/** The table as a page: what is covered, section by section, and by what. */
export function conformancePage(rows: readonly Row[]): string {
  const known = SECTIONS.map(([prefix]) => prefix)
  const strays = rows.filter((each) => !known.includes(sectionOf(each)))
  if (strays.length > 0) throw new Error(`rows of no section: ${strays.map(({ id }) => id).join(', ')}`)
  const sections = SECTIONS.map(([prefix, title]) => {
    const own = rows.filter((each) => sectionOf(each) === prefix)
    return { prefix, title, own, covered: own.filter(({ proofs }) => proofs.length > 0).length }
  })
  const covered = sections.reduce((sum, section) => sum + section.covered, 0)
  const overview = sections.map(
    (section) =>
      `| ${section.prefix} | ${section.title} | ${section.covered} | ${section.own.length - section.covered} |`,
  )
  const details = sections.map(
    ({ prefix, title, own }) => `## ${prefix} ${title}

| Row | Says | Proven by |
| --- | ---- | --------- |
${own.map(line).join('\n')}
`,
  )
  return `# Conformance

Every field, rule, code, state and limit of the interface, and what proves it. A full test run fails when a row has no proof, when
a test named here is gone, did not run or did not pass, when no test was answered a field with exactly these types, or when no test
provoked a code.

${covered} of ${rows.length} rows are covered.

| Section | About | Covered | Uncovered |
| ------- | ----- | ------- | --------- |
${overview.join('\n')}

${details.join('\n')}`
}
