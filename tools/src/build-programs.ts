import { writeTree } from './build/tree.ts'

// What `npm start` runs, in the folder that it names. A trace of a fault names our functions; where they are is for `npm run build`.
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('the folder is missing')
await writeTree(folder)
