import { repositoryRoot } from '../support/repository.ts'
import { bundle } from './bundle.ts'
import { type BundledPackage, bundledPackages, describePackage } from './bundled-packages.ts'
import { consoleMetafile } from './console-packages.ts'
import { noticeText } from './notice.ts'
import { PROGRAMS } from './tree.ts'

/** Imported by our Solidity sources, so part of the creation code that we ship. */
export const compiledIntoContracts = (): BundledPackage[] => [
  describePackage(repositoryRoot, 'node_modules/@openzeppelin/contracts'),
]

export interface BuiltPackages {
  readonly bundled: BundledPackage[]
  readonly notice: string
}

/** What a build of today's sources would contain, without making one. */
export async function builtPackages(): Promise<BuiltPackages> {
  const programs = await bundle({ entries: PROGRAMS, folder: 'dist', write: false })
  const bundled = bundledPackages(repositoryRoot, programs, await consoleMetafile())
  return { bundled, notice: noticeText(bundled, compiledIntoContracts()) }
}
