import { compareWithReleased } from '../layouts/released-layouts.ts'
import { type Check, findingsResult } from './check.ts'

export const storageLayout: Check = {
  name: 'storage-layout',
  run: async () => {
    const { broken, appended, unreleased } = await compareWithReleased()
    const unwritten = unreleased.map((name) => `${name}: no layout in contracts/layouts; npm run layouts writes it`)
    return findingsResult([...broken, ...unwritten], appended)
  },
}
