import type { Answer, DeskMethod, Payload } from '../contract/desk.ts'

/** What answers each method of the contract. One that is missing, or is none of the contract's, does not compile. */
export type Handlers = {
  readonly [M in DeskMethod]: (payload: Payload<M>) => Answer<M> | Promise<Answer<M>>
}

type Area<M extends DeskMethod> = M extends `${infer A}.${string}` ? A : M

/** The handlers of some areas: 'box' stands for every method that begins with "box." */
export type HandlersOf<A extends Area<DeskMethod>> = {
  readonly [M in DeskMethod as Area<M> extends A ? M : never]: Handlers[M]
}
