/** The styles of the page, in their order. */
import '@xyflow/react/dist/base.css'
import './tokens.css'
import './base.css'
import './run.css'
import './drawing.css'
import './query.css'
import './form.css'
import './inbox.css'
