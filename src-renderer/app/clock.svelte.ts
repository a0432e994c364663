import { createSubscriber } from 'svelte/reactivity'

const follow = createSubscriber((update) => {
  const timer = setInterval(update, 1000)
  return () => clearInterval(timer)
})

/** The time, followed by the second; one timer for everybody who shows how long something still takes, none for nobody. */
export const clock = {
  get now(): number {
    follow()
    return Date.now()
  }
}
