import { describe, expect, it } from 'vitest'
import { emptyFolder, partsIn, stackEnvironment } from './data-folder.ts'
import { run } from './program.ts'
import { tallyOn } from './tally.ts'

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('tally while nothing runs', () => {
  it('starts the embedded stack for the moment of each command and stops it again, on a new folder too', async () => {
    const folder = emptyFolder()
    const tally = tallyOn({ DATA_DIR: folder, CHAIN_PORT: '0' })
    expect(await tally.does('contracts', 'verify')).toEqual([])
    expect(partsIn(folder)).toEqual({ postgres: [], chain: [] })
    const made = await tally.does('instances', 'create', 'Made while stopped', '--chain', '31337')
    expect(await tally.refuses('instances', 'archive', unknownId)).toBe(`There is no instance ${unknownId}.`)
    expect(partsIn(folder)).toEqual({ postgres: [], chain: [] })
    expect(await tally.does('instances', 'list')).toMatchObject([{ instanceId: made.instanceId, status: 'ACTIVE' }])
  })

  it('stops what it started when it is interrupted', async () => {
    const folder = emptyFolder()
    const program = await run('cli', { env: stackEnvironment(folder), args: ['backup', '/dev/full/no'] })
    while (partsIn(folder).chain.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    program.signal('SIGINT')
    expect(await program.ended).not.toBe(0)
    expect(partsIn(folder)).toEqual({ postgres: [], chain: [] })
  })
})
