import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { repositoryRoot } from '../support/repository.ts'

/**
 * The order of files in a fresh clone, where no earlier run has left its times. Files come by their size then, but one that
 * starts programs takes long at any size; and the server has hundreds of short files, which leave no core idle at the end.
 * One file seeds the demo; what needs it comes after others, so that no worker waits for it. A file that is not named here
 * runs all the same, only at another time.
 */
const PLACES: readonly RegExp[] = [
  /^tools\//,
  /^packages\//,
  /\/process\/embedded\.test\.ts$/,
  /^bench\/|\/process\/(?!backup|demo)|crash\.test\.ts$|programs-of-others\.test\.ts$/,
  /^e2e\/|\/process\//,
]

/** The lower, the earlier. */
export function placeOf(path: string): number {
  const found = PLACES.findIndex((place) => place.test(path))
  return found >= 0 ? found : PLACES.length
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const placeOfFile = ({ moduleId }: TestSpecification) => placeOf(relative(repositoryRoot, moduleId))
    return bySize.toSorted((a, b) => placeOfFile(a) - placeOfFile(b))
  }
}
