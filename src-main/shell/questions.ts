import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'

/** A question with named answers, the last of which is the one that changes nothing. */
export interface Question<Answer extends string> {
  readonly message: string
  readonly detail: string
  readonly answers: readonly [Answer, ...Answer[]]
  readonly kind?: 'question' | 'error' | 'warning'
}

/** Asks in a dialog of the system, and resolves with the answer; closing it is the last one. */
export async function askPerson<Answer extends string>(
  { message, detail, answers, kind = 'question' }: Question<Answer>,
  parent: BrowserWindow | null = null
): Promise<Answer> {
  const options: MessageBoxOptions = {
    type: kind,
    title: 'Boxyard',
    message,
    detail,
    buttons: [...answers],
    defaultId: answers.length - 1,
    cancelId: answers.length - 1,
    noLink: true
  }
  const { response } = await (parent
    ? dialog.showMessageBox(parent, options)
    : dialog.showMessageBox(options))
  return answers[response] ?? answers[answers.length - 1] ?? answers[0]
}
