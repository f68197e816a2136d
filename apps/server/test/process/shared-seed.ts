import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the files of one run of the tests keep the folder that they share; removed by the global set-up. */
export const sharedSeed = (run: number): string => join(tmpdir(), `tallystick-seed-${run}`)
