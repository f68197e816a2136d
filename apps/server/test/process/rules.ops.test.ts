import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from './programs.ts'

const folder = join(repository, 'ops')
const RULES = 'tallystick.rules.yml'
const TESTS = 'tallystick.rules.test.yml'

function promtool(args: readonly string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

describe('the rules of Prometheus', () => {
  it('are well formed', () => {
    const { status, said } = promtool(['check', 'rules', '--lint-fatal', RULES])
    expect(status, said).toBe(0)
  })

  it('sound when they should, and only then', () => {
    const { status, said } = promtool(['test', 'rules', TESTS])
    expect(status, said).toBe(0)
  })

  it('are each held to that: without any one of them the test of the rules fails', { timeout: 300_000 }, () => {
    const rules = readFileSync(join(folder, RULES), 'utf8')
    const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(20)
    const scratch = mkdtempSync(join(tmpdir(), 'tallystick-rules-'))
    try {
      writeFileSync(join(scratch, TESTS), readFileSync(join(folder, TESTS)))
      const unguarded = names.filter((name) => {
        writeFileSync(join(scratch, RULES), rules.replace(`- alert: ${name}\n`, '- alert: Renamed\n'))
        return promtool(['test', 'rules', TESTS], scratch).status === 0
      })
      expect(unguarded).toEqual([])
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  })
})
