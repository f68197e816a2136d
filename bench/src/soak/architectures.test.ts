import { describe, expect, it } from 'vitest'
import { chooseEmulation, type Emulation, isElfOf, missingForEmulation } from './architectures.ts'

function chosen(arch: string, wanted?: string): Emulation {
  const emulation = chooseEmulation({ os: 'linux', arch }, wanted)
  if ('fault' in emulation) throw new Error(emulation.fault)
  return emulation
}

describe('choosing what to emulate', () => {
  it('takes the architecture that the machine is not, or the one that was asked for', () => {
    expect(chosen('x64').arch).toBe('arm64')
    expect(chosen('arm64').arch).toBe('x64')
    expect(chosen('x64', 'x64').arch).toBe('x64')
  })

  it('refuses other systems and other architectures', () => {
    expect(chooseEmulation({ os: 'darwin', arch: 'arm64' })).toHaveProperty('fault')
    expect(chooseEmulation({ os: 'linux', arch: 'x64' }, 'riscv64')).toEqual({
      fault: 'The architectures are x64 and arm64, not riscv64.',
    })
  })

  it('names in one line what is missing and how to get it', () => {
    const everything = { program: () => true, file: () => true }
    expect(missingForEmulation(chosen('x64'), everything)).toBeUndefined()
    expect(missingForEmulation(chosen('x64'), { ...everything, program: () => false })).toBe(
      'Missing: qemu-aarch64-static. On Debian: apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross',
    )
    expect(missingForEmulation(chosen('arm64'), { ...everything, file: (path) => path.endsWith('libc.so.6') })).toMatch(
      /^Missing: \/usr\/x86_64-linux-gnu\/lib\/libstdc\+\+\.so\.6\. .+libstdc\+\+6-amd64-cross$/,
    )
  })
})

describe('programs of an architecture', () => {
  it('are known by their header', () => {
    const header = (machine: number) =>
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, ...Array(9).fill(0), 3, 0, machine, 0])
    const [x64, arm64] = [chosen('arm64'), chosen('x64')]
    expect([isElfOf(x64, header(0x3e)), isElfOf(arm64, header(0x3e))]).toEqual([true, false])
    expect([isElfOf(x64, header(0xb7)), isElfOf(arm64, header(0xb7))]).toEqual([false, true])
    expect(isElfOf(x64, Buffer.from('#!/bin/sh\nexec something else\n'))).toBe(false)
    expect(isElfOf(x64, Buffer.alloc(0))).toBe(false)
  })
})
