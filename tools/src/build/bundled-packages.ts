import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { licenceOf } from '../checks/licence-of.ts'
import type { Manifest } from '../checks/lock-file.ts'

export interface BundledPackage {
  /** The folder, which is also the key in package-lock.json. */
  readonly location: string
  readonly name: string
  readonly version: string
  readonly licence: string
}

const FOLDER = /^(?:.*[/])?node_modules[/](?:@[^/]+[/])?[^/]+/

/** Whose code ends up in the bundles: of each package that a file came from, and was not dropped whole. */
export function bundledPackages(root: string, ...metafiles: readonly Metafile[]): BundledPackage[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs))
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs))
  const locations = new Set(inputs.flatMap((path) => FOLDER.exec(path)?.[0] ?? []))
  return [...locations]
    .map((location) => describePackage(root, location))
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

export function describePackage(root: string, location: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(root, location, 'package.json'), 'utf8')) as Manifest
  const { name = location, version = '' } = manifest
  return { location, name, version, licence: licenceOf(manifest) ?? 'no licence stated' }
}

const LICENCE_FILES = /^(licen[cs]e|notice|copying)([.-]|$)/i

/** What their authors ask to be passed on, each text once per package. */
export function licenceTexts(root: string, packages: readonly BundledPackage[]): string {
  const parts = packages.map(({ location, name, version, licence }) => {
    const folder = join(root, location)
    const files = readdirSync(folder).filter((file) => LICENCE_FILES.test(file))
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [`${name} ${version}: ${licence}`, ...texts].join('\n\n')
  })
  return `${parts.join(`\n\n${'='.repeat(80)}\n\n`)}\n`
}
