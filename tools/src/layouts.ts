import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderLayout } from './layouts/layout.ts'
import { compareWithReleased, layoutsFolder } from './layouts/released-layouts.ts'

// Writes what each upgradeable contract lays out as released. Only an appended layout replaces another: to take a
// mistake back that no proxy runs yet, delete its file first.
const { current, broken, appended } = await compareWithReleased()
if (broken.length > 0) {
  console.error(
    `Nothing was written. Proxies run the released layouts, and these changes would misread them:\n${broken.join('\n')}`,
  )
  process.exitCode = 1
} else {
  mkdirSync(layoutsFolder, { recursive: true })
  for (const layout of current) writeFileSync(join(layoutsFolder, `${layout.contract}.json`), renderLayout(layout))
  console.log([`${current.length} layouts in contracts/layouts`, ...appended].join('\n'))
}
