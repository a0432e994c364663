import { RemoteForm } from './remote-form.svelte.ts'

let kept: RemoteForm | null = null

/** What was typed for a new remote, and not added, is there when its dialog opens again; for this run of the window only. */
export const newRemote = {
  /** The form, and whether it comes from before. */
  open: (): { readonly form: RemoteForm; readonly restored: boolean } => ({
    form: kept ?? new RemoteForm(null),
    restored: kept !== null
  }),
  /** The token is not kept: it has been typed for one try, and a form that nobody looks at needs none. */
  keep(form: RemoteForm): void {
    form.dropToken()
    kept = form.isEmpty ? null : form
  },
  forget: (): void => void (kept = null)
}
