// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds

import org.codehaus.groovy.runtime.InvokerHelper

/** Groovy: metaclasses, categories, call sites that learn, scripts in class loaders of their own. */
class Groovies extends Kind {
  static counter = 0

  static add(a, b) { a + b }

  @Override
  protected void dirty() {
    String.metaClass.shout = { -> 'DIRTY' }
    String.metaClass.getLength = { -> -1 }
    Integer.metaClass.plus = { Integer other -> 42 }
    Groovies.metaClass.static.secret = { -> 'dirty' }
    InvokerHelper.metaRegistry.setMetaClass(Groovies, new ExpandoMetaClass(Groovies, false, true).tap { initialize() })
    InvokerHelper.metaRegistry.addMetaClassRegistryChangeEventListener { KEPT.add(it) }
    counter = 7
    1000.times { add(it, 'x') }
    def shell = new GroovyShell()
    KEPT.add(shell.evaluate('class Dirty { static x = 1 }; Dirty.x = 5; new Dirty()'))
    Eval.me('Thread.start { sleep 1000000 }')
  }

  @Override
  protected void probe() {
    show('method', { -> 'x'.shout() })
    show('property', { -> 'abc'.length() + ' ' + 'abc'.hasProperty('length') })
    show('operator', { -> add(1, 2) + ' ' + add('a', 'b') + ' ' + add([1], [2]) })
    show('static method', { -> secret() })
    show('counter', { -> counter })
    show('metaclass', { -> InvokerHelper.metaRegistry.getMetaClass(String).class.simpleName })
    show('listeners', { -> InvokerHelper.metaRegistry.metaClassRegistryChangeEventListeners.length })
    show('script', { -> new GroovyShell().evaluate('class Dirty { static x = 1 }; Dirty.x') })
    show('category', { -> use(Shouting) { 'x'.loud() } })
    show('after the category', { -> 'x'.loud() })
    show('closure', { -> (1..5).collect { it * it }.findAll { it % 2 } })
  }
}

class Shouting {
  static String loud(String self) { self.toUpperCase() }
}
