// The compiler of the npm package `solc` calls whatever may throw through a function of JavaScript (`invoke_*`), millions of
// times in a build: into JavaScript, through a table of functions, and back. Here these functions are made in WebAssembly,
// which can catch by itself.
const { readFileSync } = require('node:fs')

// The few words of WebAssembly that are needed.
const I32 = 0x7f
const NOTHING = 0x40
const [TRY, CATCH_ALL, RETHROW, IF, END, IS_ZERO] = [0x06, 0x19, 0x09, 0x04, 0x0b, 0x45]
const localGet = (index) => [0x20, ...unsigned(index)]
const localSet = (index) => [0x21, ...unsigned(index)]
const constant = (value) => [0x41, value]
const call = (index) => [0x10, ...unsigned(index)]
const callIndirect = (type, table) => [0x11, ...unsigned(type), table]

/** Seven bits in a byte, the last ones first. */
const unsigned = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)])
const sized = (bytes) => [...unsigned(bytes.length), ...bytes]
const named = (name) => sized([...Buffer.from(name)])
const section = (id, items) => [id, ...sized([...unsigned(items.length), ...items.flat()])]
const imported = (name, kind) => [...named('of'), ...named(name), ...kind]
const aTable = [1, 0x70, 0, 0]

/** The tables that a trampoline calls by, and what stands in the second one. */
const [COMPILER, STACK] = [0, 1]
const [SAVE, RESTORE, SET_THREW] = [0, 1, 2]
const STACK_FUNCTIONS = ['stackSave', 'stackRestore', '_setThrew']

/**
 * What `invoke_*` does, for each of these forms (`vii`: no result, two arguments): remembers the stack, calls a function of the
 * compiler's table, and notes when that threw.
 */
function trampolines(forms) {
  const types = []
  const typeOf = (params, results) => {
    const found = types.findIndex((type) => type.params === params && type.results === results)
    return found >= 0 ? found : types.push({ params, results }) - 1
  }
  const isOwnThrow = typeOf(0, 1)
  const resultsOf = (form) => (form[0] === 'v' ? 0 : 1)
  const bodyOf = (form) => {
    const args = form.length - 1
    const stack = args + 1
    return sized([
      ...[1, 1, I32],
      ...[...constant(SAVE), ...callIndirect(typeOf(0, 1), STACK), ...localSet(stack)],
      ...[TRY, resultsOf(form) ? I32 : NOTHING],
      ...Array.from({ length: args }, (_, index) => localGet(index + 1)).flat(),
      ...[...localGet(0), ...callIndirect(typeOf(args, resultsOf(form)), COMPILER)],
      CATCH_ALL,
      // A fault of the engine is nothing that the compiler could go on from.
      ...[...call(0), IS_ZERO, IF, NOTHING, RETHROW, 1, END],
      ...[...localGet(stack), ...constant(RESTORE), ...callIndirect(typeOf(1, 0), STACK)],
      ...[...constant(1), ...constant(0), ...constant(SET_THREW), ...callIndirect(typeOf(2, 0), STACK)],
      ...(resultsOf(form) ? constant(0) : []),
      ...[END, END],
    ])
  }
  const bodies = forms.map(bodyOf)
  const declared = forms.map((form) => unsigned(typeOf(form.length, resultsOf(form))))
  const typesOf = (count) => sized(Array(count).fill(I32))
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      types.map(({ params, results }) => [0x60, ...typesOf(params), ...typesOf(results)]),
    ),
    ...section(2, [imported('isOwnThrow', [0, isOwnThrow]), imported('compiler', aTable), imported('stack', aTable)]),
    ...section(3, declared),
    ...section(
      7,
      forms.map((form, index) => [...named(form), 0, ...unsigned(index + 1)]),
    ),
    ...section(10, bodies),
  ])
}

/** The functions of JavaScript by which the compiler throws. */
const THROWING = ['___cxa_throw', '___cxa_rethrow', '___resumeException']
/** Other numbers change their form on their way through JavaScript. */
const PLAIN_FORM = /^invoke_([vi]i*)$/

/** The imports of the compiler with trampolines of our own, and what has to be done once it is there. */
function withTrampolines(imports, stackNames) {
  const forms = Object.values(imports).flatMap(({ name = '' }) => PLAIN_FORM.exec(name)?.[1] ?? [])
  let isOwn = false
  const takeOwn = () => {
    const was = isOwn
    isOwn = false
    return was ? 1 : 0
  }
  const compiler = new WebAssembly.Table({ element: 'anyfunc', initial: 0 })
  const stack = new WebAssembly.Table({ element: 'anyfunc', initial: stackNames.length })
  const of = { isOwnThrow: takeOwn, compiler, stack }
  const made = new WebAssembly.Instance(new WebAssembly.Module(trampolines(forms)), { of }).exports

  function replaced(given) {
    const { name = '' } = given
    if (THROWING.includes(name))
      return (...args) => {
        isOwn = true
        given(...args)
      }
    const [, form] = PLAIN_FORM.exec(name) ?? []
    if (form !== undefined) return made[form]
    if (!name.startsWith('invoke_')) return given
    return (...args) => {
      const result = given(...args)
      takeOwn()
      return result
    }
  }
  return {
    imports: Object.fromEntries(Object.entries(imports).map(([name, given]) => [name, replaced(given)])),
    connect(exports) {
      const table = Object.values(exports).find((one) => one instanceof WebAssembly.Table)
      compiler.grow(table.length)
      for (let index = 0; index < table.length; index++) compiler.set(index, table.get(index))
      for (const [index, name] of stackNames.entries()) stack.set(index, exports[name])
    },
  }
}

/** To be called before the compiler is loaded. */
function callDirectly(compilerFile) {
  const source = readFileSync(compilerFile, 'latin1')
  // Exports have short names, which only the compiler's own file tells.
  const stackNames = STACK_FUNCTIONS.flatMap(
    (name) => new RegExp(`Module\\["${name}"\\] = asm\\["(\\w+)"\\]`).exec(source)?.[1] ?? [],
  )
  // One that is built in another way works as well, only slower.
  if (stackNames.length < STACK_FUNCTIONS.length) return
  const { Instance } = WebAssembly
  WebAssembly.Instance = function instantiate(module, given) {
    WebAssembly.Instance = Instance
    const [[space, imports]] = Object.entries(given)
    const direct = withTrampolines(imports, stackNames)
    const instance = new Instance(module, { [space]: direct.imports })
    direct.connect(instance.exports)
    return instance
  }
}

module.exports = { callDirectly }
