// @ts-nocheck: runs in a browser, of which the types of this repository know nothing.
// Search, copy buttons and the choice of light or dark. Every page works without it.
;(() => {
  const root = document.documentElement
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children)
    return element
  }

  // Storage may be forbidden; then the choice lasts for the page.
  const stored = (write) => {
    try {
      return write ? localStorage.setItem('theme', write) : localStorage.getItem('theme')
    } catch {
      return null
    }
  }
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = stored() ?? (prefersDark ? 'dark' : 'light')
  const theme = document.getElementById('theme')
  theme.hidden = false
  theme.addEventListener('click', () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark'
    stored(root.dataset.theme)
  })

  for (const block of document.querySelectorAll('main pre')) {
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    const frame = make('div', { className: 'code' })
    block.replaceWith(frame)
    frame.append(block, button)
  }

  const RESULTS = 12
  const AROUND = 70
  const input = document.getElementById('search')
  const list = document.getElementById('results')
  let index
  const load = () => {
    index ??= fetch('/docs/search.json').then((response) => response.json())
    return index
  }

  /** Every word has to be there; a heading counts more than a title, that more than the text, and the words as they stand most. */
  function score(entry, words) {
    const heading = (entry.heading || entry.title).toLowerCase()
    const phrase = words.join(' ')
    let sum = heading === phrase ? 60 : heading.includes(phrase) ? 20 : 0
    for (const word of words) {
      const places = [entry.title, entry.heading, entry.text].map((text) => text.toLowerCase().indexOf(word))
      if (places.every((place) => place < 0)) return 0
      const isWhole = new RegExp(`(^|\\W)${word.replace(/\W/g, '\\$&')}(\\W|$)`, 'i')
      sum += (places[0] >= 0 ? 6 : 0) + (places[1] >= 0 ? 8 : 0) + (places[2] >= 0 ? 1 : 0)
      sum += isWhole.test(entry.heading) ? 6 : isWhole.test(entry.text) ? 2 : 0
    }
    return sum
  }

  function excerpt({ text }, [word]) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - AROUND)
    return `${at > 0 ? '…' : ''}${text.slice(at, at + 2 * AROUND)}${at + 2 * AROUND < text.length ? '…' : ''}`
  }

  async function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const entries = words.length === 0 ? [] : await load()
    const found = entries
      .map((entry) => ({ entry, points: score(entry, words) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, RESULTS)
    const items = found.map(({ entry }) => {
      const heading = make('b', { textContent: entry.heading || entry.title })
      const page = make('small', { textContent: entry.heading ? entry.title : '' })
      const link = make(
        'a',
        { href: entry.path },
        heading,
        ' ',
        page,
        make('span', { textContent: excerpt(entry, words) }),
      )
      return make('li', {}, link)
    })
    const nothing = words.length > 0 && items.length === 0 ? [make('li', { textContent: 'Nothing found.' })] : []
    list.replaceChildren(...items, ...nothing)
    list.hidden = words.length === 0
  }

  input.hidden = false
  input.addEventListener('focus', load, { once: true })
  input.addEventListener('input', search)
  input.form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === '/' && !isTyping) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape') list.hidden = true
  })
  document.addEventListener('click', (event) => {
    if (!event.target.closest('form')) list.hidden = true
  })
})()
