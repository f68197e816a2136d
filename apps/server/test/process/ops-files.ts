import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './programs.ts'

const ops = (name: string) => readFileSync(join(repository, 'ops', name), 'utf8')
const OURS = /\b(tally|process|nodejs)_[a-z0-9_]+\b/g

/** Every expression of a rule: what stands behind `expr:`, on one line or on those that are further in. */
function ruleExpressions(): string[] {
  const found = ops('tallystick.rules.yml').matchAll(/^( +)expr: (?:>-\n((?:\1 +.*\n)+)|(.+)\n)/gm)
  return [...found].map(([, , folded, single]) => folded ?? single ?? '')
}

interface Panel {
  readonly targets?: readonly { readonly expr: string }[]
}

function dashboardExpressions(): string[] {
  const { panels, templating } = JSON.parse(ops('grafana-dashboard.json')) as {
    panels: Panel[]
    templating: { list: { query: string }[] }
  }
  const queries = templating.list.map(({ query }) => query).filter((query) => query.includes('('))
  return [...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)), ...queries]
}

const seriesIn = (expressions: readonly string[]) =>
  [...new Set(expressions.flatMap((expression) => expression.match(OURS) ?? []))].sort()

/** The series that rules and dashboard ask for, and those whose absence is an alarm. */
export function askedSeries(): { all: string[]; always: string[] } {
  const rules = ruleExpressions()
  return {
    all: seriesIn([...rules, ...dashboardExpressions()]),
    always: seriesIn(rules.filter((rule) => rule.startsWith('absent('))),
  }
}

/** What a process shows: every series that it has declared, and those that have a value now. */
export function exportedSeries(text: string): { declared: Set<string>; valued: Set<string> } {
  const declared = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  return { declared: new Set(declared), valued: new Set(text.match(/^[a-z][a-z0-9_]*(?=[{ ])/gm)) }
}
