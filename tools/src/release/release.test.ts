import { describe, expect, it } from 'vitest'
import { releasedChangelog, requireNext } from './release-rules.ts'

describe('the version of a release', () => {
  it.each(['0.1.1', '0.2.0', '1.0.0'])('may be %s after 0.1.0', (next) => {
    expect(() => requireNext('0.1.0', next)).not.toThrow()
  })
  it.each(['0.1.0', '0.1.2', '0.2.1', '0.3.0', '2.0.0', '0.0.9', '1.0', 'v0.2.0'])('is not %s after 0.1.0', (next) => {
    expect(() => requireNext('0.1.0', next)).toThrow(next)
  })
})

describe('the changelog of a release', () => {
  it('needs something that was unreleased', () => {
    expect(() => releasedChangelog('# Changelog\n\n## 0.1.0\n- a\n', '0.2.0', 'd')).toThrow('has no section')
    expect(() => releasedChangelog('# Changelog\n\n## Unreleased\n\n## 0.1.0\n- a\n', '0.2.0', 'd')).toThrow(
      'nothing to release',
    )
  })
})
