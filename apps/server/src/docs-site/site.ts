import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { operations } from '@tallystick/wire'
import { recordedExamples } from '../platform/http/openapi/examples.ts'
import { renderMarkdown } from './markdown.ts'
import { featuresOf, referenceOf } from './reference.ts'
import { operationEntry, type SearchEntry, searchEntries } from './search-index.ts'
import { type NavSection, shell } from './shell.ts'
import { siteMap } from './site-map.ts'

const REFERENCE = '/docs/reference'

export interface Site {
  /** Undefined: there is no such page. */
  page(path: string): string | undefined
  readonly paths: readonly string[]
  /** What can be found on all pages. */
  searchIndex(): Promise<readonly SearchEntry[]>
}

const pathOfFile = (file: string): string => (file === 'index.md' ? '/docs' : `/docs/${file.slice(0, -'.md'.length)}`)

function filesOf(folder: string, section: (typeof siteMap)[number]): string[] {
  if ('files' in section) return [...section.files]
  const names = readdirSync(join(folder, section.folder)).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => `${section.folder}/${name}`)
}

/** The documentation of this release, from its own folder: every page is written when somebody first asks for it. */
export function createSite(folder: string, version: string): Site {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const sections = siteMap.map((section) => ({ title: section.title, files: filesOf(folder, section) }))
  const files = new Map(sections.flatMap((section) => section.files.map((file) => [pathOfFile(file), file] as const)))
  const render = (file: string) =>
    renderMarkdown(read(file), {
      file,
      pathOf: (other) => (files.has(pathOfFile(other)) ? pathOfFile(other) : null),
      drawing: read,
    })
  const titleOf = (file: string) => /^# (.+)$/m.exec(read(file))?.[1]?.replaceAll('`', '') ?? file
  const features = new Map(featuresOf(operations).map((feature) => [`${REFERENCE}/${feature}`, feature]))
  const written = new Map<string, string>()
  let navigation: NavSection[] | undefined

  function navigate(): NavSection[] {
    const [start, ...others] = sections.map(({ title, files: own }) => ({
      title,
      links: own.map((file) => ({ path: pathOfFile(file), title: titleOf(file) })),
    }))
    const reference = { title: 'Reference', links: [...features].map(([path, title]) => ({ path, title })) }
    return [...(start ? [start] : []), ...others, reference]
  }

  const referenceTitle = (feature: string) => `Reference: ${feature}`

  function contentOf(path: string): { title: string; html: string } | undefined {
    const [file, feature] = [files.get(path), features.get(path)]
    if (file !== undefined) return render(file)
    return feature === undefined
      ? undefined
      : { title: referenceTitle(feature), html: referenceOf(feature, operations, recordedExamples()) }
  }

  function write(path: string): string | undefined {
    const content = contentOf(path)
    if (!content) return undefined
    navigation ??= navigate()
    return shell({ path, title: content.title, main: content.html, version, sections: navigation })
  }

  /** Requests have their turn between two pages: all of them take half a second. */
  async function searchIndex(): Promise<SearchEntry[]> {
    const entries = operations.map((operation) =>
      operationEntry(`${REFERENCE}/${operation.feature}`, referenceTitle(operation.feature), operation),
    )
    for (const [path, file] of files) {
      const { title, html } = render(file)
      entries.push(...searchEntries(path, title, html))
      await setImmediate()
    }
    return entries
  }

  return {
    paths: [...files.keys(), ...features.keys()],
    searchIndex,
    page(path) {
      const known = written.get(path)
      if (known !== undefined) return known
      const page = write(path)
      if (page !== undefined) written.set(path, page)
      return page
    },
  }
}
