import { describe, expect, it } from 'vitest'
import { missingForCluster } from './tree.ts'

describe('what the cluster needs', () => {
  const debian = { platform: 'linux', uid: 0, has: () => true }

  it('is there, or is named in one line', () => {
    expect(missingForCluster(debian)).toBeUndefined()
    expect(missingForCluster({ ...debian, platform: 'darwin' })).toMatch(/^Missing: linux/)
    expect(missingForCluster({ ...debian, uid: 1000 })).toMatch(/^Missing: root\./)
    expect(missingForCluster({ ...debian, has: (program) => program !== 'debootstrap' })).toBe(
      'Missing: debootstrap. On Debian: apt-get install debootstrap util-linux',
    )
  })
})
