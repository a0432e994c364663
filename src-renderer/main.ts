import './app/validators.ts'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './styles/app.css'
import { mount } from 'svelte'
import { watchConnection } from './app/connection.svelte.ts'
import { followFailures } from './app/failures.svelte.ts'
import { restorePlace } from './app/memory.svelte.ts'
import { readPreferences } from './app/preferences.svelte.ts'
import { followProduct } from './app/product.svelte.ts'
import { followRemotes } from './app/remotes.svelte.ts'
import App from './App.svelte'

const target = document.getElementById('app')
if (!target) throw new Error('the page has no #app')

watchConnection()
void followFailures()
void followRemotes()
// What the person set is there before the first thing is drawn; a product that does not answer is not waited for long.
const patienceMs = 1_000
await Promise.race([
  Promise.allSettled([followProduct(), readPreferences()]),
  new Promise((resolve) => setTimeout(resolve, patienceMs))
])
restorePlace()
mount(App, { target })
