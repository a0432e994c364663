/** `node sync-remote.ts FOLDER URL`: adds the remote Far, and notes of every box that it is in step with it. */
import { createApp } from '../../src-main/app.ts'
import { silentLog } from '../../src-main/log.ts'

const [dataDir = '', location = ''] = process.argv.slice(2)
const app = await createApp({ dataDir, log: silentLog })
const { id, organizations } = await app.remotes.add({ location, name: 'Far', checkMinutes: null })
if (organizations.length === 0) throw new Error('The remote tells no organizations.')
// About as long as what is agreed on of a box with some versions.
const base = JSON.stringify({
  shortDescription: '',
  description: 'x'.repeat(1000),
  private: false,
  versions: []
})
app.db
  .prepare(
    `INSERT INTO remote_boxes (remote_id, tag_key, organization, name, base, remote_stamp, local_stamp, standing, checked_at)
     SELECT ?, organizations.name_key || '/' || boxes.name_key, organizations.name, boxes.name, ?,
       strftime('%Y-%m-%dT%H:%M:%fZ', boxes.updated_at / 1000.0, 'unixepoch'), boxes.updated_at || '.' || boxes.revision,
       'in-step', 0
     FROM boxes JOIN organizations ON organizations.id = organization_id`
  )
  .run(id, base)
await app.close()
