import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltPackages, builtPackages } from '../build/built-packages.ts'
import { repositoryRoot } from '../support/repository.ts'
import { type Check, type CheckResult, findingsResult } from './check.ts'
import { isAllowedLicence } from './licence-expression.ts'
import { licenceOf } from './licence-of.ts'
import { productionClosure } from './production-closure.ts'

/** What a build contains comes from the production tree, whose licences are looked at, and is named in NOTICE. */
function builtFindings(root: string, locations: ReadonlySet<string>, { bundled, notice }: BuiltPackages): string[] {
  const strangers = bundled
    .filter(({ location }) => !locations.has(location))
    .map(({ name, location }) => `${name}: bundled by npm run build, but no production dependency (${location})`)
  const file = join(root, 'NOTICE')
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === notice
  return isCurrent ? strangers : [...strangers, 'NOTICE: does not say what a build contains; run npm run notice']
}

export function checkLicences(root: string, built?: BuiltPackages): CheckResult {
  const { dependencies, problems } = productionClosure(root)
  const refused = dependencies.flatMap(({ manifest, path }) => {
    const licence = licenceOf(manifest)
    if (licence !== undefined && isAllowedLicence(licence)) return []
    return [`${path.at(-1)}: ${licence ?? 'no licence stated'} (${path.join(' > ')})`]
  })
  const locations = new Set(dependencies.map(({ location }) => location))
  return findingsResult([...problems, ...refused, ...(built ? builtFindings(root, locations, built) : [])].sort())
}

export const licences: Check = {
  name: 'licences',
  run: async () => checkLicences(repositoryRoot, await builtPackages()),
}
