/** A version that a release may have, after another one. */
export function requireNext(current: string, next: string): void {
  const parts = (version: string) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number)
  const [before, after] = [parts(current), parts(next)]
  if (!before || !after) throw new Error(`${next} is not a version: say major.minor.patch.`)
  const at = after.findIndex((part, index) => part !== before[index])
  const isNext = at >= 0 && after[at] === (before[at] ?? 0) + 1 && after.slice(at + 1).every((part) => part === 0)
  if (!isNext) throw new Error(`${next} does not follow ${current}.`)
}

/** The changelog with what was unreleased under its version. */
export function releasedChangelog(text: string, version: string, date: string): string {
  const [, unreleased] = /\n## Unreleased\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? []
  if (unreleased === undefined) throw new Error('CHANGELOG.md has no section "Unreleased".')
  if (!/^- /m.test(unreleased))
    throw new Error('CHANGELOG.md says nothing under "Unreleased": there is nothing to release.')
  return text.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version} (${date})\n`)
}

/** A package.json of ours with the new version, also where it names another package of ours. */
export const bumped = (text: string, current: string, next: string): string =>
  text
    .replace(`"version": "${current}"`, `"version": "${next}"`)
    .replace(/("@tallystick\/[\w-]+": )"([^"]+)"/g, (whole, name: string, version: string) =>
      version === current ? `${name}"${next}"` : whole,
    )
