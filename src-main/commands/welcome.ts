import type { ServeReport } from './serve.ts'

/** What somebody who has just started the registry wants to know. */
export function howToUse({ url, owner, data, ui }: ServeReport): string {
  const boxyard = process.env['npm_lifecycle_event'] ? 'npm run --silent boxyard --' : 'boxyard'
  return `
Boxyard serves ${url}${ui === undefined ? '' : `\n\n  interface    ${ui}`}

  data folder  ${data}
  owner        ${owner} (an account, and an organization for its boxes)

In another terminal, make vagrant use it:

  export VAGRANT_SERVER_URL=${url}
  vagrant cloud auth login --token "$(${boxyard} token create --data '${data}')"
  vagrant cloud publish ${owner}/base 1.0.0 virtualbox base.box --release --force

or take a box file in without vagrant:

  ${boxyard} import base.box --release --data '${data}'

Ctrl-C stops it.
`
}
