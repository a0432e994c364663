/** What can lie over the whole window; one at a time. */
export type Overlay = 'palette' | 'shortcuts' | 'new-box'

let open = $state<Overlay | null>(null)

export const overlays = {
  get open() {
    return open
  }
}

export function show(overlay: Overlay): void {
  open = overlay
}

export function hide(overlay: Overlay): void {
  if (open === overlay) open = null
}
