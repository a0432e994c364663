const heading = ':is(h1, h2, h3)[tabindex="-1"]'

/**
 * Gives the focus to the nearest heading when what had it is gone from the page: a button that did what it was for, a
 * form that was sent. Else the keyboard would begin again at the top of the window. Returns what ends it.
 */
export function keepFocus(): () => void {
  let last: readonly Element[] = []
  let asked = 0

  const follow = ({ target }: FocusEvent): void => {
    last = target instanceof Element ? withAncestors(target) : []
  }
  function repair(): void {
    if (document.activeElement !== document.body || last[0]?.isConnected !== false) return
    focusHeadingNear(last)
  }
  const observer = new MutationObserver(() => {
    if (last[0]?.isConnected !== false) return
    // Dialogs and menus that go away give the focus back by themselves, and what replaces something is there by then.
    cancelAnimationFrame(asked)
    asked = requestAnimationFrame(() => (asked = requestAnimationFrame(repair)))
  })

  document.addEventListener('focusin', follow)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', follow)
    observer.disconnect()
    cancelAnimationFrame(asked)
  }
}

function withAncestors(element: Element): Element[] {
  const all: Element[] = []
  for (let each: Element | null = element; each; each = each.parentElement) all.push(each)
  return all
}

/** That of the smallest part of the page that is still there and shows one. */
function focusHeadingNear(gone: readonly Element[]): void {
  for (const part of gone.filter(({ isConnected }) => isConnected))
    for (const each of part.querySelectorAll<HTMLElement>(heading)) {
      each.focus({ preventScroll: true })
      if (document.activeElement === each) return
    }
}
