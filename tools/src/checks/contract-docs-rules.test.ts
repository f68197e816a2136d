import { describe, expect, it } from 'vitest'
import { callersFindings } from './contract-docs-rules.ts'

const page = `# Contracts

### \`Pool\`

Owned by \`nobody\`.

| Who | May call | Remarks |
| --- | --- | --- |
| anyone | \`pay\`, \`poke\` | not \`while\` paused |
| owner | \`stop\` | |

### \`Fund\`

| Who | May call |
| --- | --- |
| anyone | \`topUp\` |

## Money
`
const functions = (pool: string[], fund = ['topUp']) =>
  new Map([
    ['Pool', pool],
    ['Fund', fund],
  ])

describe('who may call what', () => {
  it('takes a page that lists every function, overloads once', () => {
    expect(callersFindings(page, functions(['pay', 'pay', 'poke', 'stop']))).toEqual([])
  })

  it('finds a function that is missing, gone or listed twice', () => {
    expect(callersFindings(page, functions(['pay', 'poke', 'stop', 'start']))).toEqual(['Pool.start is missing'])
    expect(callersFindings(page, functions(['pay', 'poke']))).toEqual(['Pool has no stop that changes anything'])
    const twice = page.replace('`stop`', '`stop`, `pay`')
    expect(callersFindings(twice, functions(['pay', 'poke', 'stop']))).toEqual(['Pool.pay is there twice'])
  })

  it('finds a contract without a section, and a section without a contract', () => {
    const others = new Map([
      ['Pool', ['pay', 'poke', 'stop']],
      ['Oracle', ['update']],
    ])
    expect(callersFindings(page, others)).toEqual(['there is no contract Fund', 'has no section Oracle'])
  })
})
