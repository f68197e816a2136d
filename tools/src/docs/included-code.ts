/** A code block whose text are regions of a file: "ts include=<path>#<region>+<region>" behind the fence. */
const INCLUDING_BLOCK = /^```(\w+) include=([^\s#]+)#([\w+-]+)\n[\s\S]*?^```$/gm

/** What stands between the marks of a region, as far to the left as it goes. */
export function regionOf(source: string, region: string): string | undefined {
  const lines = source.split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`)
  if (start < 0) return undefined
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '// #endregion')
  if (length < 0) return undefined
  const inside = lines.slice(start + 1, start + 1 + length)
  const indents = inside.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents)
  const text = inside.map((line) => line.slice(indent)).join('\n')
  return text.replace(/^\n+|\n+$/g, '')
}

/** The text with every such block filled in. A region that does not exist is a fault. */
export function withIncludedCode(text: string, read: (path: string) => string): string {
  return text.replaceAll(INCLUDING_BLOCK, (_, language: string, path: string, regions: string) => {
    const parts = regions.split('+').map((region) => {
      const code = regionOf(read(path), region)
      if (code === undefined) throw new Error(`${path} has no region ${region}`)
      return code
    })
    return `\`\`\`${language} include=${path}#${regions}\n${parts.join('\n\n')}\n\`\`\``
  })
}
